/** The findings as cards: what, since when, why, the lines that prove it, what to change. @module */
import { shownNumber } from "../../../data/shown_number.ts";
import { shownTime } from "../../../data/shown_time.ts";
import type { DoctorPageRun } from "../../../notebooks/pages/doctor.ts";
import { percentText } from "../../../notebooks/pages/possible.ts";
import { placeOf } from "../../../notebooks/pages/where.ts";
import type { Evidence } from "../../../steps/diagnoses/view/evidence.ts";
import { type Language, LANGUAGES, stepName, whenSaid } from "../language/mod.ts";
import { button, element } from "./element.ts";
import { said } from "./said.ts";
import type { Stage } from "./stage.ts";
import { table } from "./table.ts";

type Finding = DoctorPageRun["findings"][number];

/** Rows of evidence that are shown at first. */
const SHOWN = 20;
const SEVERITY = { fatal: "fatal", error: "error", warning: "warning", info: "info" } as const;

interface Card {
  /** What the cause is, in the page's language; "" where that is said above. */
  readonly about: string;
  /** The message is said above. */
  readonly isSaid: boolean;
  readonly isFirst: boolean;
}

/** One card. */
export function findingCard(finding: Finding, { about, isSaid, isFirst }: Card, stage: Stage): HTMLElement {
  const { say } = stage,
    told = (text: string) => said(text, stage.language),
    severity = SEVERITY[finding.severity as keyof typeof SEVERITY] ?? "info";
  const facts = [
    finding.probability == null ? "" : `${say.probability} ${percentText(finding.probability)}`,
    whenSaid(finding, say),
    finding.at_end === false ? say.notAtEnd : "",
    ...finding.codes ?? [],
  ].filter(Boolean).join(" · ");
  const evidence = (finding.evidence ?? []) as readonly Evidence[], out = finding.ruled_out ?? [];
  return element(
    "article",
    { class: `finding ${severity}` },
    element(
      "h3",
      {},
      element("span", { class: "severity" }, say[severity]),
      ` ${finding.cause} `,
      element("small", {}, facts),
    ),
    about === "" ? null : element("p", { class: "means" }, about),
    isSaid ? null : element("p", {}, ...told(finding.message)),
    element("p", { class: "hint" }, element("b", {}, say.whatToDo + say.colon), ...told(finding.hint)),
    evidence.length === 0 ? null : opened(
      say.evidenceHere(evidence.length),
      isFirst && severity !== "info",
      evidenceTable(evidence, finding, stage),
    ),
    out.length === 0 ? null : opened(
      say.ruledOut(out.length),
      false,
      element(
        "ul",
        {},
        ...out.map(({ cause, why }) => element("li", {}, element("b", {}, cause), say.colon, ...told(why))),
      ),
    ),
  );
}

function opened(summary: string, isOpen: boolean, body: HTMLElement): HTMLElement {
  const details = element("details", {}, element("summary", {}, summary), body);
  details.open = isOpen;
  return details;
}

/** Where each row stands is a button to its line, if the text can be shown. */
function evidenceTable(evidence: readonly Evidence[], finding: Finding, stage: Stage): HTMLElement {
  const { say } = stage, word = stepName(finding, say);
  const rows = evidence.slice(0, SHOWN).map((row) => {
    const place = placeOf({ ...row, source: row.source === "-" ? say.pasted : row.source }, evidence, word);
    const { source, line } = row;
    if (source === null || line === null || !stage.hasText(source)) return [place, ...cellsOf(row, stage)];
    const where = button(place, () => stage.goTo(source, line, where), "place");
    where.setAttribute("aria-label", say.goTo(place));
    return [where, ...cellsOf(row, stage)];
  });
  const more = evidence.length - SHOWN;
  return element(
    "div",
    {},
    table([say.where, say.what, say.value, say.note], rows, "evidence"),
    more > 0 ? element("p", { class: "about" }, say.moreRows(more)) : null,
  );
}

const cellsOf = ({ name, value, note = "" }: Evidence, { language }: Stage) => [
  nameSaid(name, language),
  shownTime(name, value) ?? valueSaid(value),
  note === "" ? "" : said(note, language),
];

/** A metric is called as it is printed; what a claim says is in the page's language. */
const nameSaid = (name: string, language: Language) => LANGUAGES[language].claimOf(name) ?? name;

/** A value as every report has it: NaN is one, nothing is none. */
function valueSaid(value: Evidence["value"]): string {
  if (value === null) return "none";
  if (typeof value === "number") return shownNumber(value, 4);
  return typeof value === "string" ? value : JSON.stringify(value);
}
