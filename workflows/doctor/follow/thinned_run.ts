/** A long run as it is looked at while it goes on: fewer records, so that a look stays short. @module */
import type { ColumnTable } from "arquero";
import type { ImportedRun } from "../../../data/adapters/run/imported_run.ts";
import { columnArray } from "../../../data/tables/mod.ts";

/** Records that are kept: the first, the last, and of those between one out of each of so many groups. */
const FIRST = 1000, LAST = 3000, BETWEEN = 2000;
/** Before the last ones, where many are not finite. */
const MOST = FIRST + 2 * BETWEEN;

/**
 * The run with about 6000 records; those left out are counted in `thinned`. Of a group between the first and the last
 * the records with a value that is not finite stay, or else its first. The verdict at the end reads them all.
 */
export function thinnedRun(run: ImportedRun): ImportedRun {
  const { tables } = run.rows, all = tables.metrics, rows = all?.numRows() ?? 0;
  if (all === undefined || rows <= FIRST + BETWEEN + LAST) return run;
  const kept = keptRows(all, rows), metrics = all.reify(kept);
  return {
    ...run,
    thinned: run.thinned + rows - kept.length,
    rows: { ...run.rows, tables: { ...tables, metrics } as typeof tables },
  };
}

function keptRows(all: ColumnTable, rows: number): number[] {
  const bad = notFinite(all, rows), kept: number[] = [];
  const size = Math.ceil((rows - FIRST - LAST) / BETWEEN);
  for (let row = 0; row < FIRST; row++) kept.push(row);
  for (let from = FIRST; from < rows - LAST; from += size) {
    const to = Math.min(from + size, rows - LAST), before = kept.length;
    // All of them while there is room: three in a row say more than one.
    for (let at = bad.indexOf(1, from); at >= 0 && at < to; at = bad.indexOf(1, at + 1)) {
      if (kept.length === before || kept.length < MOST) kept.push(at);
    }
    if (kept.length === before) kept.push(from);
  }
  for (let row = rows - LAST; row < rows; row++) kept.push(row);
  return kept;
}

/** 1 for every row with a computed NaN or an infinity. */
function notFinite(all: ColumnTable, rows: number): Uint8Array {
  const bad = new Uint8Array(rows);
  for (const name of all.columnNames()) {
    const cells = columnArray(all, name) as ArrayLike<unknown>;
    for (let row = 0; row < rows; row++) {
      const cell = cells[row];
      if (typeof cell === "number" && !Number.isFinite(cell)) bad[row] = 1;
    }
  }
  return bad;
}
