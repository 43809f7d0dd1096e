/** A finding as it is told while the run goes on: a few lines between those of its log. @module */
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";
import { printable, type Screen, wrapped } from "../terminal/terminal.ts";
import { changeLines, evidenceText, type Examined, withinPath } from "./examined.ts";
import { placeOf, stepWord, whenText } from "../../notebooks/pages/where.ts";
import { happened } from "./headline.ts";
import { SEVERITY_STYLE } from "./terminal_report.ts";

const INDENT = 10;

/** What was read when the finding was told. */
interface Told {
  readonly examined: Examined;
  readonly records: number;
  readonly trainStep: number | null;
  /** The command that prints all about a cause. */
  readonly explain: (cause: string) => string;
}

/** Its head with the train step, what was found, the line that proves it, what to do. */
export function liveFindingLines(
  finding: Finding,
  { examined, records, trainStep, explain }: Told,
  out: Screen,
): string[] {
  const { severity, cause, evidence, hint } = finding, held = whenText(finding, examined);
  const read = trainStep === null ? `${records} records` : `${stepWord(examined)} ${trainStep}`;
  const proof = evidence[0];
  return [
    `${out.style("nonzero", "bold")}  ${out.style(severity, SEVERITY_STYLE[severity] ?? "dim")} ${
      out.style(cause, "bold")
    }  ${out.style([held, `told at ${read}`].filter(Boolean).join(", "), "dim")}`,
    ...field("", happened(examined, finding), out),
    ...(proof === undefined ? [] : field(
      "Evidence",
      `${withinPath(examined, placeOf(proof, [], stepWord(examined)))}  ${proof.name} ${evidenceText(proof)}`,
      out,
    )),
    ...field("Do", hint, out),
    ...changeLines(finding).slice(0, 1).flatMap((line) => field("Change", line, out)),
    ...field("More", explain(cause), out),
  ];
}

function field(label: string, text: string, out: Screen): string[] {
  const lines = wrapped(printable(text), Math.max(40, out.columns - INDENT - 3));
  return lines.map((line, i) => `  ${out.style((i ? "" : label).padEnd(INDENT), "dim")}${line}`);
}
