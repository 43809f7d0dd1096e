/** Rows of finished train steps of one table, by column: what is put below, sliced, cut off at either end. @module */
import type { ColumnTable } from "arquero";
import { columnArray } from "../../data/tables/mod.ts";

const KEPT_ROWS = 65_536; // Rows of one table in memory, at most: evaluations have one per prompt.

/** Rows of one train step; `writer` is "" once the train step is over. */
export interface Part {
  readonly trainStep: number;
  readonly writer: string;
  readonly rows: number;
}

/** Rows of finished train steps. */
export interface Finished {
  readonly columns: Map<string, unknown[]>;
  parts: (Part & { readonly columns: readonly string[] })[];
  count: number;
}

/** Puts the rows of a table below `count` rows of columns; null where either lacks a column. */
export function stack(columns: Map<string, unknown[]>, table: ColumnTable, count: number): readonly string[] {
  const names = table.columnNames();
  const rows = table.numRows();
  for (const column of names) {
    const values = columnArray(table, column);
    let all = columns.get(column);
    if (all === undefined) columns.set(column, all = new Array<null>(count).fill(null));
    for (let row = 0; row < rows; row++) all.push(values[row]);
  }
  for (const all of columns.values()) while (all.length < count + rows) all.push(null);
  return names;
}

export function append(finished: Finished, table: ColumnTable, trainStep: number): void {
  const names = stack(finished.columns, table, finished.count);
  finished.count += table.numRows();
  // The earlier list when it is equal, so that windows compare lists by identity.
  const earlier = finished.parts.at(-1)?.columns;
  const same = earlier?.length === names.length && names.every((name, index) => earlier[index] === name);
  finished.parts.push({ trainStep, writer: "", rows: table.numRows(), columns: same ? earlier : names });
}

/** Drops rows of train steps before `first`, and more where there are too many; returns the first train step that is left. */
export function dropBefore(finished: Finished, first: number): number {
  const { parts } = finished;
  let kept = parts.length, rows = 0;
  while (kept > 0 && parts[kept - 1]!.trainStep >= first && rows + parts[kept - 1]!.rows <= KEPT_ROWS) {
    rows += parts[--kept]!.rows;
  }
  if (kept === 0) return 0;
  // Several steps may have written in one train step: all of it stays or goes.
  while (kept < parts.length && parts[kept]!.trainStep === parts[kept - 1]!.trainStep) rows -= parts[kept++]!.rows;
  const gone = finished.count - rows;
  for (const values of finished.columns.values()) values.splice(0, gone);
  const start = parts[kept - 1]!.trainStep + 1;
  finished.parts = parts.slice(kept);
  finished.count = rows;
  return start;
}

/** Drops the rows of `trainStep` and later. */
export function truncate(finished: Finished, trainStep: number): void {
  while (finished.parts.length > 0 && finished.parts.at(-1)!.trainStep >= trainStep) {
    finished.count -= finished.parts.pop()!.rows;
  }
  for (const values of finished.columns.values()) values.length = finished.count;
}

interface Slice {
  readonly columns: Map<string, unknown[]>;
  readonly parts: Part[];
  readonly rows: number;
}

/** Copies the rows of a window; walks back from the end, for windows are short and the run is long. */
export function between(finished: Finished | undefined, from: number, to: number): Slice {
  if (finished === undefined) return { columns: new Map(), parts: [], rows: 0 };
  let index = finished.parts.length, end = finished.count;
  while (index > 0 && finished.parts[index - 1]!.trainStep > to) end -= finished.parts[--index]!.rows;
  let start = end;
  const last = index;
  const names = new Set<string>();
  let seen: readonly string[] | null = null;
  while (index > 0 && finished.parts[index - 1]!.trainStep >= from) {
    const part = finished.parts[--index]!;
    start -= part.rows;
    if (part.columns !== seen) { for (const column of seen = part.columns) names.add(column); }
  }
  return {
    columns: new Map([...names].map((column) => [column, finished.columns.get(column)!.slice(start, end)])),
    parts: finished.parts.slice(index, last).filter(({ rows }) => rows > 0),
    rows: end - start,
  };
}
