/** Rows of evidence, each once: the same value under one name at one place proves no more the second time. @module */
import type { Evidence } from "./evidence.ts";

/** The rows without those that are there already; of two the one with a note. */
export function eachOnce(evidence: readonly Evidence[]): Evidence[] {
  const rows = new Map<string, Evidence>();
  for (const [i, row] of evidence.entries()) {
    const key = keyOf(row) ?? String(i), first = rows.get(key);
    if (first === undefined || first.note === undefined) rows.set(key, row);
  }
  return [...rows.values()];
}

/** What a reader sees of a row; null of one without a place, which is told by itself. */
function keyOf({ table, source, line, train_step, name, value, note = "" }: Evidence): string | null {
  if (source === null && table === undefined) return null;
  // The train step of what is told is that of a record that stands for it: no reader sees it. A file may have all in one line.
  const step = note.endsWith("as told") ? null : train_step;
  return JSON.stringify([table, source, line, step, name, String(value)]);
}
