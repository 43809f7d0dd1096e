/** A table for a terminal that may be too narrow for all of its columns. @module */
import { shortened, textTable, textWidth } from "./text_width.ts";

/**
 * The lines of a table in `width` columns of a terminal. While they are wider, the next column named in `spare` is left
 * out; what is too wide then is cut at its end, so that a row stays one row.
 */
export function narrowTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
  spare: readonly string[],
): string[] {
  const lines = textTable(head, rows);
  if (lines.every((line) => textWidth(line) <= width)) return lines;
  const [first, ...rest] = spare;
  if (first === undefined) return lines.map((line) => shortened(line, width));
  const kept = head.flatMap((name, i) => name === first ? [] : [i]);
  return narrowTable(kept.map((i) => head[i]!), rows.map((row) => kept.map((i) => row[i]!)), width, rest);
}
