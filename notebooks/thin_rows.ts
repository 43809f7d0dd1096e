/** Fewer rows for a picture that nobody zooms into: the lowest and highest of each stretch stay. @module */
import { PHASE, type Row } from "./charts/chart.ts";

/** Stretches of train steps of a phase; a picture of 420 units shows no more. */
const STRETCHES = 240;

/** The rows of which some column of `columns` is lowest, highest or not finite in its stretch of a phase; all of few rows. */
export function thinRows(rows: readonly Row[], columns: readonly string[]): readonly Row[] {
  const kept = new Set<Row>();
  for (const members of Map.groupBy(rows, (row) => row[PHASE]).values()) {
    const size = Math.ceil(members.length / STRETCHES);
    if (size <= 2) {
      for (const row of members) kept.add(row);
      continue;
    }
    for (let from = 0; from < members.length; from += size) {
      const stretch = members.slice(from, from + size);
      for (const column of columns) for (const row of extremes(stretch, column)) kept.add(row);
    }
    kept.add(members[0]!).add(members.at(-1)!);
  }
  return rows.filter((row) => kept.has(row));
}

function extremes(rows: readonly Row[], column: string): readonly Row[] {
  let low: Row | null = null, high: Row | null = null, broken: Row | null = null;
  for (const row of rows) {
    const value = row[column];
    if (typeof value !== "number") continue;
    if (!Number.isFinite(value)) broken = row;
    else {
      if (low === null || value < (low[column] as number)) low = row;
      if (high === null || value > (high[column] as number)) high = row;
    }
  }
  return [low, high, broken].filter((row) => row !== null);
}
