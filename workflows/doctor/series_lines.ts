/** The series that decide, as text: a sparkline each over the same train steps, its ends, the onset marked below. @module */
import type { Screen } from "../terminal/terminal.ts";
import { printable } from "../../data/printable.ts";
import { type Examined, type Series, valueText } from "./examined.ts";
import { stepWord } from "../../notebooks/pages/where.ts";
import { shownTime } from "../../data/shown_time.ts";
import { columnAt, spanOf, sparkline, tells } from "./sparkline.ts";

const NAME = 22, LONGEST_NAME = 32; // Characters of a name.
const ENDS = 23; // Characters beside the line: its first and last value.
const NARROWEST = 20, WIDEST = 60; // Characters of a line.
const INDENT = "  ";

/** A line per series; under them all the train step in which it began, where one is known and among those of the lines. */
export function seriesLines(
  series: readonly Series[],
  onset: number | null,
  out: Screen,
  of: Pick<Examined, "counts">,
): string[] {
  if (series.length === 0) return [];
  const label = Math.min(LONGEST_NAME, Math.max(NAME, ...series.map(({ name }) => name.length)));
  const width = Math.max(NARROWEST, Math.min(WIDEST, out.columns - label - ENDS - INDENT.length - 1));
  const span = spanOf(series, width), before = `${INDENT}${" ".repeat(label)} `;
  // A constant is told by its row of evidence: a line of it shows nothing.
  const lines = series.flatMap((one) => {
    const line = sparkline(one, span);
    return tells(line)
      ? [
        `${INDENT}${shortName(printable(one.name), label).padEnd(label)} ${line.padEnd(span.columns)}  ${
          endsText(one)
        }`,
      ]
      : [];
  });
  if (lines.length === 0) return [];
  return onset === null || span.from === span.to || onset < span.from || onset > span.to
    ? lines
    : [...lines, out.style(before + markText(columnAt(onset, span), `${stepWord(of)} ${onset}`, span.columns), "dim")];
}

/** "0.35 → 0.97"; times with their unit. */
export function endsText({ name, column = name, values }: Pick<Series, "name" | "column" | "values">): string {
  const there = values.filter((value) => value !== null);
  return [there[0] ?? null, there.at(-1) ?? null].map((value) => shownTime(column, value) ?? valueText(value)).join(
    " → ",
  );
}

/** The mark with its train step beside it: before it where behind it there is no room. */
function markText(at: number, text: string, columns: number): string {
  return at + text.length + 2 > columns && at > text.length
    ? `${" ".repeat(at - text.length - 1)}${text} ▲`
    : `${" ".repeat(at)}▲ ${text}`;
}

/** A long name without its middle: what it is of and what it measures stand at its ends. */
function shortName(name: string, longest: number): string {
  if (name.length <= longest) return name;
  const head = Math.ceil((longest - 1) / 2);
  return `${name.slice(0, head)}…${name.slice(name.length - (longest - 1 - head))}`;
}
