/** The doctor's report on a terminal: one screen per run. @module */
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";
import { told } from "./told.ts";
import { printable, type Screen, type Style } from "../terminal/terminal.ts";
import {
  changeLines,
  decisiveSeries,
  evidenceText,
  type Examined,
  onsetOf,
  otherReasons,
  recordsText,
  systemText,
  usualSeries,
  VERDICT_WORDS,
  withinPath,
} from "./examined.ts";
import { placeOf, stepWord, whenText } from "../../notebooks/pages/where.ts";
import { unbilled } from "./bill.ts";
import { differentialLines, likelyLines } from "./differential_lines.ts";
import { field, wrappedFigures } from "./field.ts";
import { followsTexts } from "./follows.ts";
import { headline } from "./headline.ts";
import { plainFigures } from "./plain_figures.ts";
import { probabilityOf, probabilityText, ruledOut } from "./possible.ts";
import { seriesLines } from "./series_lines.ts";

const VERDICT_STYLE = { faulty: "red", benign: "green", insufficient: "yellow" } as const;
export const SEVERITY_STYLE: Record<string, Style> = { fatal: "red", error: "red", warning: "yellow", info: "blue" };
const LABEL_INDENT = 12; // Columns before the texts of a finding.
const SHOWN_SERIES = 3; // Sparklines of a run without a finding.

/** The lines of one run's report. `all` shows every finding and every evidence row. */
export function terminalReport(examined: Examined, out: Screen, all: boolean): string[] {
  const { diagnosis } = examined;
  const lines = [
    `${out.style(printable(examined.path), "bold")}${examined.part ? ` (run ${printable(examined.part)})` : ""}  ${
      out.style(`${systemText(examined)} · ${recordsText(examined)}`, "dim")
    }`,
    ...verdictLines(examined, out),
  ];
  if (diagnosis.verdict !== "faulty") {
    const [, ...rest] = diagnosis.reasons, others = otherReasons(examined);
    for (const reason of rest.filter((one) => others.includes(one)).slice(0, all ? undefined : 3)) {
      lines.push(...field("", plainFigures(reason), out));
    }
  }
  if (diagnosis.missing.length) lines.push(...field("Missing", diagnosis.missing.join("; "), out));
  const { findings: shown, more } = told(diagnosis, all);
  for (const [i, finding] of shown.entries()) {
    lines.push("", ...findingLines(examined, finding, out, all || i === 0, all));
    if (i === 0) lines.push(...differentialLines(examined, out, all));
  }
  if (!shown.length) lines.push(...likelyLines(examined, out, all), ...differentialLines(examined, out, all));
  const follows = followsTexts(examined, all);
  if (follows.length) lines.push("");
  for (const [i, text] of follows.entries()) lines.push(...field(i ? "" : "Follows", text, out));
  const unknown = all ? diagnosis.cost?.missing ?? [] : [], unpriced = unbilled(examined);
  if (unknown.length) lines.push("", ...field("Cost", `what was lost is not told without ${unknown.join("; ")}`, out));
  if (unpriced.length) lines.push("", ...field("Cost", `no price without ${unpriced.join("; ")}`, out));
  if (more > 0) lines.push("", out.style(`${more} more finding${more > 1 ? "s" : ""}: --all`, "dim"));
  if (!shown.length && examined.series.size) {
    const usual = usualSeries(examined).slice(0, SHOWN_SERIES);
    if (usual.length) lines.push("", ...seriesLines(usual, null, out, examined));
  }
  if (examined.reading.length) lines.push("");
  for (const [i, line] of examined.reading.entries()) {
    lines.push(...field(i ? "" : "Read", withinPath(examined, line), out).map((text) => out.style(text, "dim")));
  }
  return lines;
}

/** The verdict and what a tired person needs, wrapped beside it. */
function verdictLines(examined: Examined, out: Screen): string[] {
  const { diagnosis } = examined;
  const word = VERDICT_WORDS[diagnosis.verdict].toUpperCase();
  const head = out.style(word, VERDICT_STYLE[diagnosis.verdict], "bold");
  const said = headline(examined);
  if (said === "") return [head];
  const lines = wrappedFigures(said, Math.max(40, out.columns - word.length - 3));
  return lines.map((line, i) => `${i ? " ".repeat(word.length) : head}  ${line}`);
}

function findingLines(examined: Examined, f: Finding, out: Screen, full: boolean, all: boolean): string[] {
  const head = headLines(examined, f, out);
  const said = examined.diagnosis.verdict === "faulty" && examined.diagnosis.findings[0] === f;
  const lines = said ? head : [...head, ...field("", plainFigures(f.message), out)];
  if (!full) return [...lines, ...changeLines(f).slice(0, 1).flatMap((c) => field("Change", c, out))];
  lines.push(...seriesLines(decisiveSeries(examined, f), onsetOf(f), out, examined));
  if (examined.diagnosis.findings[0] === f) lines.push(...likelyLines(examined, out, all));
  const evidence = all ? f.evidence : f.evidence.slice(0, 4);
  for (const [i, e] of evidence.entries()) {
    lines.push(
      ...field(
        i ? "" : "Evidence",
        `${withinPath(examined, placeOf(e, f.evidence, stepWord(examined)))}  ${e.name} ${evidenceText(e)}${
          e.note ? `  (${e.note})` : ""
        }`,
        out,
      ),
    );
  }
  const rest = f.evidence.length - evidence.length;
  if (rest > 0) {
    lines.push(...field("", `and ${rest} more row${rest > 1 ? "s" : ""}: --all`, out));
  }
  lines.push(...field("Do", f.hint, out));
  for (const [i, c] of changeLines(f).entries()) lines.push(...field(i ? "" : "Change", c, out));
  for (const [i, r] of ruledOut(examined, f, all).slice(0, all ? undefined : 3).entries()) {
    lines.push(...field(i ? "" : "Not", `${r.cause}: ${r.why}`, out));
  }
  if (f.confirm) lines.push(...field("Confirm", f.confirm, out));
  return lines;
}

/** Severity and cause, and beside them codes, when and how likely: what has no room there goes below, none of it cut. */
function headLines(examined: Examined, f: Finding, out: Screen): string[] {
  const named = `${f.severity} ${f.cause}`, indent = " ".repeat(LABEL_INDENT);
  const texts = [f.codes.join(" "), whenText(f, examined), likelihood(examined, f)].filter(Boolean);
  const lines: string[] = [];
  for (const text of texts) {
    const room = out.columns - (lines.length > 1 ? indent.length : named.length + 2);
    const joined = lines.length === 0 ? text : `${lines.at(-1)} · ${text}`;
    if (lines.length === 0 || joined.length <= room) lines.splice(-1, 1, joined);
    else lines.push(text);
  }
  const [beside = "", ...below] = lines.map((line) => out.style(line, "dim"));
  return [
    `${out.style(f.severity, SEVERITY_STYLE[f.severity] ?? "dim")} ${out.style(f.cause, "bold")}  ${beside}`,
    ...below.map((line) => indent + line),
  ];
}

/** How likely a finding is what is wrong; nothing of a note. */
function likelihood(examined: Examined, finding: Finding): string {
  const probability = probabilityOf(examined, finding);
  return probability === null ? "" : `probability ${probabilityText(probability)}`;
}
