/** What `check` says of another system's configuration: one line for a finding, on a terminal as many as it is narrow. @module */
import type { Severity } from "../../data/severity.ts";
import { systemText } from "../doctor/examined.ts";
import { wrappedFigures } from "../doctor/field.ts";
import type { CheckedConfiguration } from "../preflight/configuration.ts";
import { shownPath } from "../terminal/paths.ts";
import { type Output, printable } from "../terminal/terminal.ts";

type Screen = Pick<Output, "style" | "columns" | "live">;
type Problem = CheckedConfiguration["problems"][number];

const INDENT = 4, NARROWEST = 40; // Columns before what goes on, and of text at least.

/** A message behind its severity: it begins as the others do. */
const ORDINARY = /^(?:The|An?|In|No|Every|All|Only|Both|With|Without|This|These|Its?) /;
const inLine = (message: string) => ORDINARY.test(message) ? message[0]!.toLowerCase() + message.slice(1) : message;

/** Findings with their places and what to write, what is not told, and the verdict. */
export function configurationLines(
  { examined: run, problems, cannotTell }: Pick<CheckedConfiguration, "examined" | "problems" | "cannotTell">,
  failed: boolean,
  out: Screen,
): string[] {
  return [
    ...problems.flatMap((problem) => problemLines(problem, out)),
    ...cannotTell.flatMap((line) => broken(`  not told: ${line}`, out).map((text) => out.style(text, "dim"))),
    `${verdict(problems, failed, out)}  ${shownPath(run.path)}: ${systemText(run)}, ${counted(problems)}`,
  ];
}

function problemLines({ file, line, column, severity, message, change, rule }: Problem, out: Screen): string[] {
  const place = `${shownPath(file)}:${line}:${column}`;
  return [
    ...broken(`${place}: ${severity}: ${inLine(message)} [${rule}]`, out),
    // What is copied stays on its line; a sentence is none of it.
    ...change.flatMap((text) =>
      /[.!?]$/.test(text) ? broken(`  change  ${text}`, out) : [`  change  ${printable(text)}`]
    ),
  ];
}

/** A line, on a terminal wrapped to it; for a file or a pipe it is one. */
function broken(text: string, { columns, live }: Screen): string[] {
  if (!live) return [printable(text)];
  const indent = /^ */.exec(text)![0],
    [first = "", ...rest] = wrappedFigures(
      text.trimStart(),
      Math.max(NARROWEST, columns - INDENT),
    );
  return [indent + first, ...rest.map((line) => " ".repeat(INDENT) + line)];
}

/** A remark is no problem. */
const isProblem = ({ severity }: { readonly severity: Severity }) => severity !== "info";

function verdict(problems: readonly Problem[], failed: boolean, out: Screen): string {
  if (failed) return out.style("cannot work", "red");
  return problems.some(isProblem) ? out.style("doubtful", "yellow") : out.style("ok", "green");
}

/** "2 problems, 1 remark". */
function counted(problems: readonly Problem[]): string {
  const count = problems.filter(isProblem).length, remarks = problems.length - count;
  const said = count === 1 ? "1 problem" : `${count || "no"} problems`;
  return remarks === 0 ? said : `${said}, ${remarks} remark${remarks === 1 ? "" : "s"}`;
}
