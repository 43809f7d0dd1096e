/**
 * The compact store behind a wide view: values in the order they were printed, thinned when a log is huge.
 *
 * Up to `MAX_ROWS` records every row is kept. Beyond that, after the first `HEAD_ROWS`, neighbours are halved each time
 * the store is full, and of what comes then as few are kept, so that a course over rows is one over the run: of a group
 * of rows the first stays, or else the first with a non-finite value. At most `MAX_NAMES` names are kept, so that a file
 * with 10^6 columns stays small.
 * @module
 */
import type { NameInfo } from "./name_info.ts";
import { NONE } from "./stage.ts";

export const MAX_ROWS = 50_000;
export const HEAD_ROWS = 5_000;
const MAX_NAMES = 4_096;
const MAX_CELLS = 2_000_000;
/** Rows at the end that are not thinned out yet. */
const TAIL = 1024;
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
  /** Where the column of the next value is, as a rule: records repeat their names in order. */
  #next = 0;
  rows = 0;
  cells = 0;
  thinned = 0;
  step: number[] = [];
  line: number[] = [];
  source: number[] = [];
  rank: number[] = [];
  /** Which record of the table a row is, from 1: rows that are thinned out are counted, too. */
  ordinal: number[] = [];
  /** Of so many records one is kept, after the head and up to the row `#even`. */
  #stride = 1;
  #even = HEAD_ROWS;

  /** Starts a row. step NaN = none printed; rank -1 = none printed. */
  addRow(step: number, line: number, source: number, rank: number): void {
    const isLarge = this.cells > MAX_CELLS || this.rows * this.columns.length > MAX_DENSE;
    if (this.rows >= MAX_ROWS || (isLarge && this.rows > 2 * HEAD_ROWS)) this.#thin();
    else if (this.#stride > 1 && this.rows - this.#even >= Math.max(TAIL, this.#stride)) this.#evenOut();
    this.#next = 0;
    this.step.push(step);
    this.line.push(line);
    this.source.push(source);
    this.rank.push(rank);
    this.rows++;
    this.ordinal.push(this.rows + this.thinned);
  }

  /** Adds a value to the last row; false where the number of names is used up. */
  addValue(info: NameInfo, value: number, decimals: number): boolean {
    const column = this.#columnOf(info);
    if (column === null) return false;
    const row = this.rows - 1;
    if (column.rows.length > 0 && column.rows[column.rows.length - 1] === row) return true; // a name twice: first wins
    column.rows.push(row);
    column.values.push(value);
    column.decimals.push(decimals);
    column.count++;
    this.cells++;
    return true;
  }

  /** The column of a name, a new one for a new name; null where the number of names is used up. */
  #columnOf(info: NameInfo): RawColumn | null {
    const usual = this.columns[this.#next++];
    if (usual !== undefined && usual.info === info) return usual;
    let column = this.#byInfo.get(info);
    if (column === undefined) {
      if (this.columns.length >= MAX_NAMES) return null;
      column = { info, rows: [], values: [], decimals: [], count: 0 };
      this.#byInfo.set(info, column);
      this.columns.push(column);
    }
    return column;
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

  /** Half of what is kept after the head. */
  #thin(): void {
    if (this.#stride > 1) this.#evenOut();
    this.#even = this.#group(HEAD_ROWS, 2);
    this.#stride *= 2;
  }

  /** The rows at the end become as few as those before them. */
  #evenOut(): void {
    this.#even = this.#group(this.#even, this.#stride);
  }

  /** Keeps one row of each group of so many from a row on; returns where the last group begins, which may not be whole. */
  #group(from: number, size: number): number {
    if (this.rows <= from) return from;
    const bad = new Uint8Array(this.rows - from), map = new Int32Array(this.rows - from).fill(-1);
    for (const { rows, values, decimals } of this.columns) {
      for (let i = firstFrom(rows, from); i < rows.length; i++) {
        if (decimals[i] !== NONE && !Number.isFinite(values[i]!)) bad[rows[i]! - from] = 1;
      }
    }
    const whole = Math.floor(bad.length / size);
    for (let group = 0; group < whole; group++) {
      const first = group * size, worse = bad.subarray(first, first + size).indexOf(1);
      map[first + Math.max(0, worse)] = from + group;
    }
    for (let row = whole * size; row < bad.length; row++) map[row] = from + whole + row - whole * size;
    const before = this.rows;
    this.#keep(map, from);
    this.thinned += before - this.rows;
    return from + whole;
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
    for (const key of ["rows", "cells", "thinned"] as const) rest[key] = this[key];
    for (const key of PER_ROW) rest[key] = [...this[key]];
    rest.columns.push(
      ...this.columns.map(({ rows, values, decimals, ...column }) => ({
        ...column,
        rows: [...rows],
        values: [...values],
        decimals: [...decimals],
      })),
    );
    rest.ordinal = ordinal;
    rest.#keep(map, 0);
    for (const column of rest.columns) column.count = column.rows.length;
    rest.columns.splice(0, Infinity, ...rest.columns.filter(({ count }) => count > 0));
    return rest;
  }

  /** The rows of tables, each step once or in the order of the tables, as one table by step; as if printed so. */
  static byStep(tables: readonly RawTable[]): RawTable {
    const sorted = new RawTable(), places = new Map(tables.map((table) => [table, new Int32Array(table.rows)]));
    const rows = tables.flatMap((table) => table.step.map((step, row) => ({ table, step, row })));
    rows.sort((a, b) => a.step - b.step).forEach(({ table, row }, place) => {
      places.get(table)![row] = place;
      for (const key of PER_ROW) sorted[key].push(table[key][row]!);
    });
    sorted.ordinal = rows.map((_, place) => place + 1);
    sorted.rows = rows.length;
    for (const table of tables) {
      sorted.thinned += table.thinned;
      sorted.cells += table.cells;
    }
    const columns = tables.flatMap((table) => table.columns.map((column) => ({ column, at: places.get(table)! })));
    for (const [info, parts] of Map.groupBy(columns, ({ column }) => column.info)) {
      const cells = parts.flatMap(({ column, at }) => column.rows.map((row, i) => ({ place: at[row]!, column, i })))
        .sort((a, b) => a.place - b.place);
      sorted.columns.push({
        info,
        rows: cells.map(({ place }) => place),
        values: cells.map(({ column, i }) => column.values[i]!),
        decimals: cells.map(({ column, i }) => column.decimals[i]!),
        count: parts.reduce((sum, { column }) => sum + column.count, 0),
      });
    }
    return sorted;
  }

  /** Keeps the rows from one on to which `map` gives a new place, -1 for none. */
  #keep(map: Int32Array, from: number): void {
    for (const key of PER_ROW) {
      const list = this[key];
      let kept = from;
      for (let row = from; row < list.length; row++) if (map[row - from]! >= 0) list[kept++] = list[row]!;
      list.length = kept;
    }
    for (const { rows, values, decimals } of this.columns) {
      const first = firstFrom(rows, from);
      let kept = first;
      for (let i = first; i < rows.length; i++) {
        const row = map[rows[i]! - from]!;
        if (row < 0) continue;
        rows[kept] = row;
        values[kept] = values[i]!;
        decimals[kept++] = decimals[i]!;
      }
      this.cells -= rows.length - kept;
      rows.length = values.length = decimals.length = kept;
    }
    this.rows = this.step.length;
  }
}

/** The place of the first of ascending rows that is not before one. */
export function firstFrom(rows: readonly number[], from: number): number {
  let low = 0, high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
