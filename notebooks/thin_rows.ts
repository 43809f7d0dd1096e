/** Fewer rows for a picture that nobody zooms into: the lowest and highest of each stretch stay. @module */
import { PHASE, type Row } from "./charts/chart.ts";
import { AROUND } from "./charts/lines.ts";

/** Stretches of train steps of a phase; a picture of 420 units shows no more. */
const STRETCHES = 240;

/**
 * The rows of which some column of `columns`, or its median around, is lowest or highest in its stretch of a phase, or the
 * column not finite; all of few rows.
 */
export function thinRows(rows: readonly Row[], columns: readonly string[]): readonly Row[] {
  const kept = new Set<Row>();
  for (const members of Map.groupBy(rows, (row) => row[PHASE]).values()) {
    const size = Math.ceil(members.length / STRETCHES);
    if (size <= 2) {
      for (const row of members) kept.add(row);
      continue;
    }
    for (const column of columns) {
      const measured = members.filter((row) => typeof row[column] === "number");
      const medians = new Map(measured.map((row, i) => [row, medianAround(measured, column, i)]));
      for (let from = 0; from < members.length; from += size) {
        const stretch = members.slice(from, from + size).filter((row) => medians.has(row));
        for (const row of extremes(stretch, (row) => row[column] as number)) kept.add(row);
        for (const row of extremes(stretch, (row) => medians.get(row)!)) kept.add(row);
      }
    }
    kept.add(members[0]!).add(members.at(-1)!);
  }
  return rows.filter((row) => kept.has(row));
}

/** The median of the finite values around row `at`; NaN where there are none. */
function medianAround(rows: readonly Row[], column: string, at: number): number {
  const values = rows.slice(Math.max(0, at - AROUND), at + AROUND + 1).map((row) => row[column] as number)
    .filter(Number.isFinite).sort((a, b) => a - b);
  return values.length ? (values[(values.length - 1) >> 1]! + values[values.length >> 1]!) / 2 : NaN;
}

function extremes(rows: readonly Row[], valueOf: (row: Row) => number): readonly Row[] {
  let low: Row | null = null, high: Row | null = null, broken: Row | null = null;
  for (const row of rows) {
    const value = valueOf(row);
    if (!Number.isFinite(value)) broken = row;
    else {
      if (low === null || value < valueOf(low)) low = row;
      if (high === null || value > valueOf(high)) high = row;
    }
  }
  return [low, high, broken].filter((row) => row !== null);
}
