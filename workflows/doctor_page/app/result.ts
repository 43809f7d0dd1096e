/** What was found in one run: the verdict, what shows it, what to change, how it was read. @module */
import type { DoctorPageRun } from "../../../notebooks/pages/doctor.ts";
import { placeOf } from "../../../notebooks/pages/where.ts";
import type { Evidence } from "../../../steps/diagnoses/view/evidence.ts";
import { type Format, LANGUAGES, stepName } from "../language/mod.ts";
import type { Diagnosed, ReadFile, ShownRun } from "../reading/messages.ts";
import { chart } from "./chart.ts";
import { spanOf } from "./chart_shape.ts";
import { copyBlock, decidesTable } from "./decides.ts";
import { button, element, section } from "./element.ts";
import { findingCard } from "./findings.ts";
import { said } from "./said.ts";
import { sharing } from "./share.ts";
import type { Stage } from "./stage.ts";
import { table } from "./table.ts";

const VERDICTS = {
  faulty: { look: "failed", word: "faulty" },
  healthy: { look: "ok", word: "healthy" },
  "cannot tell": { look: "interrupted", word: "cannotTell" },
} as const;

/** The head of a report: verdict, cause, what it is, the first sentence. */
export function verdictCard({ run, abouts }: ShownRun, stage: Stage): HTMLElement {
  const { say } = stage, { look, word } = VERDICTS[run.verdict as keyof typeof VERDICTS];
  const cause = word === "faulty" ? run.findings[0]?.cause : undefined;
  const about = cause === undefined ? "" : aboutOf(cause, abouts, stage);
  const head = cause === undefined ? calmHead(run) : null;
  const reasons = run.reasons.filter((reason) => reason !== head);
  const told = (text: string) => said(text, stage.language);
  const list = (texts: readonly string[]) =>
    texts.length === 0 ? null : element("ul", {}, ...texts.map((text) => element("li", {}, ...told(text))));
  const places = pointed(run, stage);
  return element(
    "div",
    { class: `verdict ${look}`, attributes: { "aria-live": "polite" } },
    element(
      "h1",
      { attributes: { tabindex: "-1" } },
      element("span", { class: `status ${look}`, id: "verdict" }, say[word]),
      " ",
      head === null ? element("span", { id: "cause" }, cause ?? "") : element(
        "span",
        { id: "cause", class: "said" },
        ...word === "healthy" ? [say.nothingWrong] : [],
        ...told(head),
      ),
    ),
    about === "" ? null : element("p", { class: "means", id: "means" }, about),
    run.headline === "" || run.headline === head ? null : element("p", { class: "headline" }, ...told(run.headline)),
    places.length === 0 ? null : element("p", { class: "places" }, ...places),
    list(reasons),
    run.missing.length === 0 ? null : element("h2", { class: "missing" }, say.missing),
    list(run.missing),
  );
}

/** What is found where nothing is wrong, or too little is told: what a reader can look up first, then what proves it. */
function calmHead({ headline, reasons, pointed = [], proof }: DoctorPageRun): string {
  const rows = pointed as readonly Evidence[];
  const quoting = [headline, ...reasons].find((text) =>
    rows.some(({ line }) => text.toLowerCase().startsWith(`line ${line} `))
  );
  return proof ?? quoting ?? (headline || reasons[0] || "");
}

/** Buttons to the statements that the reasons speak of. */
function pointed({ pointed = [] }: DoctorPageRun, { say, goTo, hasText }: Stage): HTMLElement[] {
  return (pointed as readonly Evidence[]).flatMap((row) => {
    const { source, line } = row;
    if (source === null || line === null || !hasText(source)) return [];
    const place = placeOf({ source: source === "-" ? say.pasted : source, line });
    const where = button(place, () => goTo(source, line, where), "place");
    where.setAttribute("aria-label", say.goTo(place));
    return [where];
  });
}

/** The sections below it: those that stand beside the text, and those that want the whole width. */
export function resultSections(
  shown: ShownRun,
  { files }: Diagnosed,
  stage: Stage,
): { readonly beside: HTMLElement[]; readonly below: HTMLElement[] } {
  const { run, abouts, markdown } = shown, { say } = stage;
  const about = (cause: string) => aboutOf(cause, abouts, stage);
  const findings = run.findings.map((finding, i) => {
    const isFirst = i === 0 && run.verdict === "faulty", told = isFirst ? "" : about(finding.cause);
    return findingCard(
      finding,
      { about: told, isSaid: isFirst && says(run.headline, finding), isFirst: i === 0 },
      stage,
    );
  });
  const isCalm = findings.length === 0 && run.decisive.length === 0;
  const more = [
    ...charts(run.decisive.length > 0 ? say.beside : say.usual, "usual", run, run.usual, stage),
    section(say.share, "share", sharing(markdown, stage)),
  ];
  const beside = [
    ...charts(say.showsIt, "shows", run, run.decisive, stage),
    ...findings.length === 0 && (run.verdict === "healthy" || run.possible.length > 0) ? [] : [
      section(
        say.findings,
        "findings",
        ...findings.length === 0 ? [element("p", { class: "about" }, say.noFindings)] : findings,
        run.more > 0 ? element("p", { class: "about" }, say.moreFindings(run.more)) : null,
      ),
    ],
    ...run.changes.length === 0 && run.byHand === null ? [] : [
      section(
        say.whatToChange,
        "change",
        ...run.changes.flatMap(({ system, lines }) => [
          system === null ? null : element("h3", { class: "of" }, system),
          copyBlock(lines.join("\n"), say),
        ]),
        run.byHand === null ? null : element("p", {}, ...said(run.byHand, stage.language)),
      ),
    ],
    // Beside a text there is always something.
    ...isCalm ? more : [],
  ];
  const below = [
    ...run.possible.length === 0 ? [] : [section(say.decides, "decides", decidesTable(run.possible, about, stage))],
    ...run.follows.length === 0 ? [] : [section(
      say.follows,
      "follows",
      element("ul", {}, ...run.follows.map((line) => element("li", {}, ...said(line, stage.language)))),
    )],
    ...isCalm ? [] : more,
    section(say.howRead, "read", readTable(files, stage), ...readLines(run, stage)),
  ];
  return { beside, below };
}

/** Whether the head of the report has the message of a finding. */
const says = (headline: string, { message }: { readonly message: string }) =>
  headline.toLowerCase().startsWith(message.replace(/\.$/, "").toLowerCase());

/** What a cause is, in the page's language; "" of one that no rule has. */
function aboutOf(cause: string, abouts: ShownRun["abouts"], { language }: Stage): string {
  return LANGUAGES[language].causes[cause] ?? abouts[cause] ?? "";
}

function charts(
  title: string,
  id: string,
  run: DoctorPageRun,
  series: DoctorPageRun["usual"],
  stage: Stage,
): HTMLElement[] {
  if (series.length === 0) return [];
  const span = spanOf([...run.decisive, ...run.usual]), word = stepName(run, stage.say);
  const cards = series.map((one) => chart(one, span, word, stage));
  return [section(title, id, element("div", { class: "charts" }, ...cards))];
}

const sizeText = (bytes: number) =>
  bytes < 1e3 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

function readTable(files: readonly ReadFile[], { say, language }: Stage): HTMLElement {
  const rows = files.map(({ shown, format, records, bytes, partial }) => [
    shown === "-" ? say.pasted : shown,
    LANGUAGES[language].formats[format as Format],
    String(records),
    sizeText(bytes),
    partial === null ? "" : said(partial, language),
  ]);
  return table([say.file, say.format, say.records, say.size, say.note], rows, "files");
}

/** What was not understood, or read otherwise; how many records there are stands in the table. */
function readLines({ reading: [, ...lines] }: DoctorPageRun, { say, language }: Stage): HTMLElement[] {
  // A pasted text has the name "-", as standard input has.
  const items = lines.map((line) => element("li", {}, ...said(line.replace(/^-(?=:\d)/, say.pasted), language)));
  if (items.length === 0) return [];
  return [element("h3", { class: "of" }, say.notUnderstood), element("ul", { class: "about" }, ...items)];
}
