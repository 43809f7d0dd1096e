/** Figures set in two columns, a name and its value: `reward      ~0.05`, as people copy them together. @module */
import type { Line } from "../source/lines.ts";

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

/** The same of lines that stand without a fence: each is set in columns, and becomes a pair. */
export function pairsOf(lines: readonly Line[]): Line[] | null {
  const pairs = lines.every(({ text }) => /\S(?:\s\s|\t)/.test(text)) ? columnsAsPairs(lines) : null;
  return pairs === null || pairs.some((pair, i) => pair === lines[i]) ? null : pairs;
}
