/** The doctor's report as Markdown, to paste into an issue: private text taken out, completions shortened. @module */
import { printable } from "../../data/printable.ts";
import { told } from "./told.ts";
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";
import {
  byHandText,
  decisiveSeries,
  evidenceText,
  type Examined,
  onsetOf,
  recordsText,
  systemText,
  VERDICT_WORDS,
  withinPath,
} from "./examined.ts";
import { placeOf, stepWord, whenText } from "../../notebooks/pages/where.ts";
import { unbilled } from "./bill.ts";
import { followsTexts } from "./follows.ts";
import { headline, reasonsBeside } from "./headline.ts";
import { pastedBlocks } from "./pasted.ts";
import { plainFigures } from "./plain_figures.ts";
import { firstCause, possibleCauses, probabilityOf, probabilityText, ruledOut } from "./possible.ts";
import { redact } from "./redact.ts";
import { seriesLines } from "./series_lines.ts";
import { withoutMentions } from "./without_mentions.ts";

const LONGEST = 160, HEAD = 640; // Characters of half a cell, and of the first sentence.
/** A block of text as wide as an issue shows without scrolling. */
const PLAIN = { style: (text: string) => text, columns: 100 };
const SHOWN_EVIDENCE = 6; // Rows of evidence of one finding.

/** Writes what a log or a message holds, so that it breaks nothing and says nothing private. */
interface Writer {
  /** A text within a line. */
  readonly cell: (text: string, longest?: number) => string;
  /** Code within a line: there an entity would be shown as it is written. */
  readonly code: (text: string) => string;
  /** A line of a block of text. */
  readonly plain: (line: string) => string;
}

/** One run's report as Markdown; `strip` takes out what is private. */
export function markdownReport(
  examined: Examined,
  all: boolean,
  strip: (text: string) => string = redact,
): string {
  const write = writer(strip), { cell, code } = write;
  const { diagnosis } = examined, head = headline(examined);
  const file = examined.path.split(/[\\/]/).at(-1)!;
  const lines = [
    `### ${VERDICT_WORDS[diagnosis.verdict]}: ${
      cell((diagnosis.verdict === "faulty" ? diagnosis.findings[0]?.cause : null) ?? file)
    }`,
    "",
    `${code(file)}${examined.part ? ` (run ${cell(examined.part)})` : ""} · ${systemText(examined)} · ${
      recordsText(examined)
    }`,
    "",
    ...(diagnosis.verdict === "benign" || head === "" ? [] : [cell(head, HEAD)]),
    ...reasonsBeside(examined, diagnosis.verdict === "benign" ? "" : head).map((reason) => `- ${cell(reason)}`),
    ...diagnosis.missing.length === 0 ? [] : ["", "Missing:", ...diagnosis.missing.map((text) => `- ${cell(text)}`)],
  ];
  const { findings, more } = told(diagnosis, all);
  const [first, ...rest] = findings.map((finding) => findingLines(examined, finding, all, write));
  return [
    ...lines,
    ...first ?? [],
    ...possibleLines(examined, all, write),
    ...followsLines(examined, all, write),
    ...rest.flat(),
    ...(more > 0 ? ["", `${more} more finding${more > 1 ? "s" : ""}: \`--all\``] : []),
    ...(all ? missingLines(examined, write) : []),
  ].join("\n") + "\n";
}

/** The first finding and what it may be in its place, as a table with the look that decides. */
function possibleLines(examined: Examined, all: boolean, { cell, code }: Writer): string[] {
  const first = firstCause(examined, all), others = possibleCauses(examined, all);
  if (others.length === 0) {
    return first?.look == null
      ? []
      : ["", `To be sure: ${cell(first.look)}`, ...first.how.map((line) => `- ${code(line)}`)];
  }
  const hasWhy = others.some(({ why }) => why !== "");
  return [
    "",
    `| probability | cause |${hasWhy ? " why |" : ""} the look that decides |`,
    `| --: | --- |${hasWhy ? " --- |" : ""} --- |`,
    ...[...first === null ? [] : [first], ...others].map((entry) => {
      const { cause, probability, why, look, how } = entry, isFirst = entry === first, bold = isFirst ? "**" : "";
      const shown = look ?? "the log shows it";
      const said = hasWhy ? ` ${isFirst ? "found above" : cell(withinPath(examined, why))} |` : "";
      return `| ${bold}${probabilityText(probability)}${bold} | ${bold}${code(cause)}${bold} |${said} ${
        [cell(shown), ...how.map((line) => code(line).replace(/\\*\|/g, "\\|"))].join("<br>")
      } |`;
    }),
  ];
}

/** What would tell the figures of the loss that are not known. */
function missingLines(examined: Examined, { cell }: Writer): string[] {
  return [
    ...(examined.diagnosis.cost?.missing ?? []).map((text) => `What was lost is not told without ${cell(text)}`),
    ...unbilled(examined).map((text) => `No price without ${cell(text)}`),
  ].flatMap((line) => ["", line]);
}

function followsLines(examined: Examined, all: boolean, { cell }: Writer): string[] {
  const follows = followsTexts(examined, all);
  return follows.length === 0 ? [] : ["", "Follows from it:", ...follows.map((text) => `- ${cell(text)}`)];
}

function findingLines(examined: Examined, f: Finding, all: boolean, { cell, code, plain }: Writer): string[] {
  const series = decisiveSeries(examined, f);
  const probability = probabilityOf(examined, f);
  const likely = probability === null ? "" : `probability ${probabilityText(probability)}`;
  const about = [f.codes.join(", "), whenText(f, examined), likely].filter(Boolean).join("; ");
  const lines = ["", `**${f.severity}: \`${f.cause}\`** (${about})`, ""];
  if (examined.diagnosis.verdict !== "faulty" || examined.diagnosis.findings[0] !== f) {
    lines.push(cell(plainFigures(f.message)), "");
  }
  const drawn = seriesLines(series, onsetOf(f), PLAIN, examined);
  if (drawn.length) lines.push("```", ...drawn.map((line) => plain(line)), "```", "");
  if (f.evidence.length) {
    const rows = (all ? f.evidence : f.evidence.slice(0, SHOWN_EVIDENCE)).map((e) =>
      [withinPath(examined, placeOf(e, f.evidence, stepWord(examined))), e.name, evidenceText(e), e.note ?? ""].map((
        text,
      ) => cell(text))
    );
    lines.push("| where | what | value | note |", "| --- | --- | --- | --- |");
    lines.push(...rows.map((row) => `| ${row.join(" | ")} |`), "");
  }
  lines.push(`What to do: ${cell(f.hint)}`, ...changedLines(f, code));
  const byHand = byHandText(f);
  if (byHand !== null) lines.push(`- ${cell(byHand)}`);
  const others = ruledOut(examined, f, all);
  return others.length ? [...lines, "", ...others.map((r) => `- not ${code(r.cause)}: ${cell(r.why)}`)] : lines;
}

/** What can be pasted stands as code, whose it is beside it. */
function changedLines(f: Finding, code: Writer["code"]): string[] {
  return pastedBlocks(f).flatMap(({ system, lines }) =>
    lines.map((line) => `- ${system === null ? "" : `${system}: `}${code(line)}`)
  );
}

function writer(strip: (text: string) => string): Writer {
  const safe = (text: string, live: (text: string) => string, longest = LONGEST * 2) => {
    // A backslash before a bar would take the escape from it.
    const out = live(strip(printable(text.replaceAll("\n", " ")))).replace(/\\*\|/g, "\\|").replaceAll("`", "'")
      .replaceAll("<", "&lt;").replaceAll("](", "\\](");
    return out.length > longest ? `${out.slice(0, longest)}…` : out;
  };
  return {
    cell: (text, longest) => safe(text, withoutMentions, longest),
    code: (text) => `\`${strip(printable(text.replaceAll("\n", " "))).replaceAll("`", "'").slice(0, LONGEST * 2)}\``,
    plain: (line) => strip(printable(line)).replaceAll("`", "'").replaceAll("\n", " ").trimEnd(),
  };
}
