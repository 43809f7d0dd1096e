/** The text of `COMMAND --help`. @module */
import { commandLine } from "../command_line.ts";
import { type Command, EVERYWHERE, type Option } from "./command.ts";
import { wrapped } from "./terminal.ts";

/** Widest help, and the narrowest that has two columns. */
const WIDEST = 80, TWO_COLUMNS = 60;

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
    ...usageLines(command),
    "",
    ...rows.flatMap(([left, right]) => option(left, right)),
    ...(command.notes?.length ? ["", ...command.notes.flatMap((note) => wrapped(note, most))] : []),
    ...(command.examples?.length
      ? ["", "Examples:", ...command.examples.map((words) => `  ${commandLine([command.name])} ${words}`)]
      : []),
  ].join("\n");
}

/** One line for each way to call the command; `|` stands between them in its usage. */
function usageLines({ name, usage }: Command): string[] {
  const ways = usage.split(/ {2,}\| {2,}/).map((way) => way.replace(new RegExp(`^${name}\\b ?`), ""));
  return ways.map((way, i) => `${i ? "       " : "Usage: "}${commandLine([name])} ${way}`.trimEnd());
}
