/** Figures set in two columns, a name and its value: `reward      ~0.05`, as people copy them together. @module */
import type { Line } from "../source/lines.ts";

const ROW =
  /^\s*([A-Za-z_][\w./()%@ -]{0,60}?)(?:\s{2,}|\t+|\s*(?:≈|~|=>|->|→)\s*)(?:~|≈|about |approx\.? )?\s*([-+]?(?:\d[\d.,]*(?:[eE][-+]?\d+)?%?|nan|inf))\s*(?:\(.*\))?$/i;
const LEAST = 2, SHARE = 0.6;

/** The lines as `name: value`; null where they are no such list. */
export function columnsAsPairs(lines: readonly Line[]): Line[] | null {
  const rows = lines.map((line) => ({ line, row: ROW.exec(line.text) })),
    filled = lines.filter(({ text }) => text.trim() !== "");
  const found = rows.filter(({ row }) => row !== null);
  if (found.length < LEAST || found.length < SHARE * filled.length) return null;
  return rows.map(({ line, row }) => row === null ? line : { ...line, text: `${row[1]!.trim()}: ${row[2]!}` });
}
