/** Figures set in two columns, a name and its value: `reward      ~0.05`, as people copy them together. @module */
import type { Line } from "../../source/lines.ts";
import type { LogReader } from "../../text/log_reader.ts";

const ROW =
  /^([A-Za-z_][\w./()%@ -]{0,60}?)(?:\s\s|\t|\s?(?:≈|~|=>|->|→))\s*(?:[~≈]\s?|about |approx\.? )?([-+]?(?:\d[\d.,]*(?:[eE][-+]?\d+)?%?|nan|inf))\s*(?:\(.*\))?$/i;
const LEAST = 2, SHARE = 0.6;
const MAX_ROW = 200; // Characters.

/** The lines as `name: value`; null where they are no such list. */
export function columnsAsPairs(lines: readonly Line[]): Line[] | null {
  const rows = lines.map((line) => ({ line, row: line.text.length > MAX_ROW ? null : ROW.exec(line.text.trim()) })),
    filled = lines.filter(({ text }) => text.trim() !== "");
  const found = rows.filter(({ row }) => row !== null);
  if (found.length < LEAST || found.length < SHARE * filled.length) return null;
  return rows.map(({ line, row }) => row === null ? line : { ...line, text: `${row[1]!.trim()}: ${row[2]!}` });
}

/** The same of lines that stand without a fence, each set in columns; false where they are none. */
export function readColumns(log: LogReader, lines: readonly Line[]): boolean {
  const pairs = lines.every(({ text }) => /\S(?:\s\s|\t)/.test(text)) ? columnsAsPairs(lines) : null;
  if (pairs === null || pairs.some((pair, i) => pair === lines[i])) return false;
  for (const pair of pairs) log.take(pair);
  log.pause();
  return true;
}
