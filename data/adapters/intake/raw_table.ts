/**
 * The compact store behind a wide view: values in the order they were printed, thinned when a log is huge.
 *
 * Up to `MAX_ROWS` records every row is kept. Beyond that, after the first `HEAD_ROWS`, neighbours are halved each time
 * the store is full: of two rows the first stays, unless only the second holds a non-finite value. At most `MAX_NAMES` names are kept, so that a file with 10^6 columns stays small.
 * @module
 */
import type { NameInfo } from "./name_info.ts";
import { NONE } from "./stage.ts";

export const MAX_ROWS = 50_000;
export const HEAD_ROWS = 5_000;
const MAX_NAMES = 4_096;
const MAX_CELLS = 2_000_000;
const MAX_DENSE = 20_000_000; // Cells of the wide view, empty ones too: rows times names.

/** What a table holds of every row. */
const PER_ROW = ["step", "line", "source", "rank", "ordinal"] as const;

/** One name's values; `rows` are ascending. */
export interface RawColumn {
  readonly info: NameInfo;
  rows: number[];
  values: number[];
  /** As printed, or ALL_DIGITS or NONE. */
  decimals: number[];
  count: number;
}

export class RawTable {
  readonly columns: RawColumn[] = [];
  readonly #byInfo = new Map<NameInfo, RawColumn>();
  rows = 0;
  cells = 0;
  thinned = 0;
  step: number[] = [];
  line: number[] = [];
  source: number[] = [];
  rank: number[] = [];
  /** Which record of the table a row is, from 1: rows that are thinned out are counted, too. */
  ordinal: number[] = [];

  /** Starts a row. step NaN = none printed; rank -1 = none printed. */
  addRow(step: number, line: number, source: number, rank: number): void {
    const isLarge = this.cells > MAX_CELLS || this.rows * this.columns.length > MAX_DENSE;
    if (this.rows >= MAX_ROWS || (isLarge && this.rows > 2 * HEAD_ROWS)) this.#thin();
    this.step.push(step);
    this.line.push(line);
    this.source.push(source);
    this.rank.push(rank);
    this.rows++;
    this.ordinal.push(this.rows + this.thinned);
  }

  /** Adds a value to the last row; false where the number of names is used up. */
  addValue(info: NameInfo, value: number, decimals: number): boolean {
    let column = this.#byInfo.get(info);
    if (column === undefined) {
      if (this.columns.length >= MAX_NAMES) return false;
      column = { info, rows: [], values: [], decimals: [], count: 0 };
      this.#byInfo.set(info, column);
      this.columns.push(column);
    }
    const row = this.rows - 1;
    if (column.rows.length > 0 && column.rows[column.rows.length - 1] === row) return true; // a name twice: first wins
    column.rows.push(row);
    column.values.push(value);
    column.decimals.push(decimals);
    column.count++;
    this.cells++;
    return true;
  }

  hasInLastRow(info: NameInfo): boolean {
    return this.#byInfo.get(info)?.rows.at(-1) === this.rows - 1;
  }

  /** The value of a column (by our name) in a row, or null. */
  valueAt(name: string, row: number): number | null {
    for (const column of this.columns) {
      if (column.info.column !== name) continue;
      const i = column.rows.indexOf(row);
      if (i >= 0 && column.decimals[i] !== NONE) return column.values[i]!;
    }
    return null;
  }

  /** A table with the columns, too, that only another view of the same steps has; this one goes on being filled. */
  withView(view: RawTable): RawTable {
    const names = new Set(this.columns.map(({ info }) => info.column));
    const rowOf = new Map(this.step.map((step, row) => [step, row]));
    const both = new RawTable();
    for (const key of ["rows", "cells", "thinned", ...PER_ROW] as const) {
      Object.assign(both, { [key]: this[key] });
    }
    both.columns.push(...this.columns);
    for (const column of view.columns) {
      if (names.has(column.info.column) || both.columns.length >= MAX_NAMES) continue;
      both.columns.push({ ...column, rows: column.rows.map((row) => rowOf.get(view.step[row]!)!) });
    }
    return both;
  }

  /** Thins until at most `cells` values are left, or nothing but the head. */
  shrink(cells: number): void {
    while (this.cells > cells && this.rows > HEAD_ROWS + 2) this.#thin();
  }

  #thin(): void {
    const bad = new Uint8Array(this.rows);
    for (const column of this.columns) {
      for (let i = 0; i < column.rows.length; i++) {
        if (column.decimals[i] !== NONE && !Number.isFinite(column.values[i]!)) bad[column.rows[i]!] = 1;
      }
    }
    const map = new Int32Array(this.rows).fill(-1);
    let kept = 0;
    for (let row = 0; row < this.rows; row++) {
      if (row < HEAD_ROWS || row + 1 >= this.rows) map[row] = kept++;
      else {
        map[bad[row] === 0 && bad[row + 1] === 1 ? row + 1 : row] = kept++;
        row++;
      }
    }
    this.thinned += this.rows - kept;
    this.#keep(map, kept);
  }

  /** A copy without the rows that are marked; records after them are counted as if those had never been. */
  without(marked: Uint8Array): RawTable {
    const rest = new RawTable(), map = new Int32Array(this.rows).fill(-1);
    let kept = 0, gone = 0;
    const ordinal = this.ordinal.map((at, row) => {
      // A row that is left out takes with it what was thinned out before it.
      if (marked[row] === 1) gone += at - (this.ordinal[row - 1] ?? 0);
      else map[row] = kept++;
      return at - gone;
    });
    for (const key of ["rows", "thinned", ...PER_ROW] as const) Object.assign(rest, { [key]: this[key] });
    rest.columns.push(...this.columns.map((column) => ({ ...column })));
    rest.ordinal = ordinal;
    rest.#keep(map, kept);
    for (const column of rest.columns) column.count = column.rows.length;
    rest.columns.splice(0, Infinity, ...rest.columns.filter(({ count }) => count > 0));
    return rest;
  }

  /** Keeps the rows that `map` gives a new place, `kept` in all. */
  #keep(map: Int32Array, kept: number): void {
    for (const list of PER_ROW) this[list] = this[list].filter((_, row) => map[row]! >= 0);
    this.cells = 0;
    for (const column of this.columns) {
      const rows: number[] = [], values: number[] = [], decimals: number[] = [];
      for (let i = 0; i < column.rows.length; i++) {
        const row = map[column.rows[i]!]!;
        if (row < 0) continue;
        rows.push(row);
        values.push(column.values[i]!);
        decimals.push(column.decimals[i]!);
      }
      Object.assign(column, { rows, values, decimals });
      this.cells += rows.length;
    }
    this.rows = kept;
  }
}
