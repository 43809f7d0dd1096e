/** The text of `COMMAND --help`. @module */
import { commandLine } from "../terminal/command_line.ts";
import { type Command, EVERYWHERE, type Option } from "./command.ts";
import { wrapped } from "../terminal/terminal.ts";

const WIDEST = 80, TWO_COLUMNS = 60; // Widest help, and the narrowest that has two columns.

/** The text of `COMMAND --help` for a terminal of so many columns. */
export function helpText(command: Command, columns = WIDEST): string {
  const known: Record<string, Option> = { ...command.options, ...EVERYWHERE };
  const rows = Object.entries(known).map(([name, o]) =>
    [
      `${o.short ? `-${o.short}, ` : "    "}--${name}${o.value ? ` ${o.value}` : ""}`,
      o.choices ? `${o.about}: ${o.choices.join(" | ")}` : o.about,
    ] as const
  );
  const most = Math.min(WIDEST, columns), isNarrow = most < TWO_COLUMNS;
  const width = isNarrow ? 4 : Math.max(...rows.map(([left]) => left.length)) + 2;
  const indent = " ".repeat(width + 2);
  const option = (left: string, right: string) => {
    const lines = wrapped(right, most - width - 2);
    if (isNarrow) return [`  ${left.trimStart()}`, ...lines.map((line) => indent + line)];
    return lines.map((line, i) => i ? indent + line : `  ${left.padEnd(width)}${line}`);
  };
  return [
    ...wrapped(command.about, most),
    "",
    ...usageLines(command, most),
    "",
    ...rows.flatMap(([left, right]) => option(left, right)),
    ...(command.notes?.length ? ["", ...command.notes.flatMap((note) => wrapped(note, most))] : []),
    ...(command.examples?.length
      ? ["", "Examples:", ...command.examples.map((words) => `  ${commandLine([command.name])} ${words}`)]
      : []),
  ].join("\n");
}

/** A line for each way to call the command, in as many as the width takes; `|` stands between the ways in its usage. */
function usageLines({ name, usage }: Command, width: number): string[] {
  const ways = usage.split(/ {2,}\| {2,}/).map((way) => way.replace(new RegExp(`^${name}\\b ?`), ""));
  return ways.flatMap((way, i) => {
    const head = `${i ? " ".repeat(USAGE.length) : USAGE}${commandLine([name])} `;
    const lines = wrapped(way, Math.max(LEAST_USAGE, width - head.length));
    return lines.map((line, j) => `${j ? " ".repeat(USAGE.length + 2) : head}${line}`.trimEnd());
  });
}

/** Before the first way; what stands beside a long way to call the program. */
const USAGE = "Usage: ", LEAST_USAGE = 28;
