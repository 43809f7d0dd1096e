/**
 * The rows of a run in memory: finished train steps by column, the current one as the tables that were written.
 *
 * Reading a window is slicing arrays. Only rows of the current train step change; a step that is abandoned is rolled
 * back to the last mark. Cells are taken by reference: a list column must not be a view of memory that changes.
 * @module
 */
import * as aq from "arquero";
import type { ColumnTable } from "arquero";
import { type TableName, TABLES } from "../../data/columns.ts";
import { columnArray, columnOrder, emptyTable, tableOf } from "../../data/tables/mod.ts";
import type { TableWrites } from "../../steps/step.ts";

/** Tables without a train step: written and stored as a whole. */
export const WHOLE_TABLES: ReadonlySet<TableName> = new Set(
  (Object.keys(TABLES) as TableName[]).filter((name) => !("train_step" in TABLES[name])),
);

/** Tables whose rows of one train step come from several steps: writing replaces the writer's own rows only. */
const BY_WRITER: ReadonlySet<TableName> = new Set<TableName>(["evaluations", "findings"]);

/** Completions of this many train steps stay in memory; older ones are read from the run folder. */
export const MEMORY_STEPS = 16;

/** Rows of one train step; `writer` is "" once the train step is over. */
export interface Part {
  readonly trainStep: number;
  readonly writer: string;
  readonly rows: number;
}

/** Rows that one step wrote in the current train step. */
interface Written {
  readonly writer: string;
  readonly table: ColumnTable;
}

/** Rows of finished train steps. */
interface Finished {
  readonly columns: Map<string, unknown[]>;
  parts: (Part & { readonly columns: readonly string[] })[];
  count: number;
}

type Current = ReadonlyMap<TableName, readonly Written[]>;

export class RunTables {
  /** Whole tables changed since the store last wrote them. */
  readonly changed: Set<TableName> = new Set<TableName>();
  #trainStep = 0;
  #whole = new Map<TableName, ColumnTable>();
  #current = new Map<TableName, readonly Written[]>();
  readonly #finished = new Map<TableName, Finished>();
  readonly #readCache = new Map<string, ColumnTable>();
  #marked: { trainStep: number; current: Current; whole: ReadonlyMap<TableName, ColumnTable> };

  constructor(readonly keepCompletions: number | "all") {
    this.#marked = { trainStep: 0, current: new Map(), whole: new Map() };
  }

  /** The current train step, 0 before the first. */
  get trainStep(): number {
    return this.#trainStep;
  }

  /** Starts the next train step. */
  advance(): number {
    this.goTo(this.#trainStep + 1);
    return this.#trainStep;
  }

  /** Ends the current train step and starts another (resume). */
  goTo(trainStep: number): void {
    this.#readCache.clear();
    for (const [name, written] of this.#current) {
      for (const { table } of written) append(this.#finishedOf(name), table, this.#trainStep);
    }
    this.#current.clear();
    this.#trainStep = trainStep;
  }

  /** Rows of the current train step, or the whole table. */
  table(name: TableName): ColumnTable {
    return this.#cached(
      name,
      () => this.#whole.get(name) ?? this.#window(name, this.#trainStep, this.#trainStep).table,
    );
  }

  /** Rows of the last `trainSteps` train steps; of completions at most what stays in memory, also after a resume. */
  history(name: TableName, trainSteps: number): ColumnTable {
    const kept = name === "completions" ? Math.min(trainSteps, this.#completionSteps) : trainSteps;
    if (kept <= 1 || WHOLE_TABLES.has(name)) return this.table(name);
    return this.#cached(`${name} ${kept}`, () => this.#window(name, this.#trainStep - kept + 1, this.#trainStep).table);
  }

  /** Replaces rows of the current train step; those of other writers too, unless the table is kept by writer. */
  write(tables: TableWrites, writer: string): void {
    this.#readCache.clear();
    for (const [key, table] of Object.entries(tables)) {
      const name = key as TableName;
      const isWhole = WHOLE_TABLES.has(name);
      const stored = normalised(name, table, isWhole ? null : this.#trainStep);
      if (isWhole) {
        this.#whole.set(name, stored);
        this.changed.add(name);
        continue;
      }
      const others = (this.#current.get(name) ?? []).filter((part) => BY_WRITER.has(name) && part.writer !== writer);
      this.#current.set(name, [...others, { writer, table: stored }]);
    }
  }

  /** From here a rollback starts. */
  mark(): void {
    this.#marked = { trainStep: this.#trainStep, current: new Map(this.#current), whole: new Map(this.#whole) };
  }

  /** Takes back every row and train step since the mark. */
  rollback(): void {
    this.#readCache.clear();
    const { trainStep, current, whole } = this.#marked;
    for (const finished of this.#finished.values()) truncate(finished, trainStep);
    this.#trainStep = trainStep;
    this.#current = new Map(current);
    this.#whole = new Map(whole);
    for (const name of whole.keys()) this.changed.add(name);
  }

  /** The rows of each table with `from <= train step <= to`, for the store; tables without such rows are left out. */
  rowsBetween(from: number, to: number): Map<TableName, { table: ColumnTable; parts: readonly Part[] }> {
    const found = new Map<TableName, { table: ColumnTable; parts: readonly Part[] }>();
    for (const name of new Set([...this.#finished.keys(), ...this.#current.keys()])) {
      const window = this.#window(name, from, to);
      if (window.table.numRows() > 0) found.set(name, window);
    }
    return found;
  }

  /** Every whole table. */
  get whole(): ReadonlyMap<TableName, ColumnTable> {
    return this.#whole;
  }

  /** How many rows the current train step has. */
  currentRows(name: TableName): number {
    return (this.#current.get(name) ?? []).reduce((sum, { table }) => sum + table.numRows(), 0);
  }

  /** Train steps whose completions a window can hold. */
  get #completionSteps(): number {
    return this.keepCompletions === "all" ? MEMORY_STEPS : Math.min(MEMORY_STEPS, Math.max(1, this.keepCompletions));
  }

  /** Forgets stored completions that no window can hold any more. */
  forget(): void {
    const finished = this.#finished.get("completions");
    if (finished === undefined) return;
    const first = this.#trainStep - this.#completionSteps + 1;
    const parts = finished.parts.filter(({ trainStep }) => trainStep >= first);
    const gone = finished.count - parts.reduce((sum, { rows }) => sum + rows, 0);
    if (gone === 0) return;
    for (const values of finished.columns.values()) values.splice(0, gone);
    finished.parts = parts;
    finished.count -= gone;
  }

  /** Takes stored rows, oldest first: of finished train steps, or of the current one by writer. */
  restore(name: TableName, table: ColumnTable, parts: readonly Part[]): void {
    this.#readCache.clear();
    if (WHOLE_TABLES.has(name)) {
      this.#whole.set(name, table);
      this.changed.add(name);
      return;
    }
    let from = 0;
    for (const { trainStep, writer, rows } of parts) {
      const slice = parts.length === 1 ? table : sliceRows(name, table, from, from + rows);
      from += rows;
      if (trainStep < this.#trainStep) append(this.#finishedOf(name), slice, trainStep);
      else this.#current.set(name, [...(this.#current.get(name) ?? []), { writer, table: slice }]);
    }
  }

  #finishedOf(name: TableName): Finished {
    let rows = this.#finished.get(name);
    if (rows === undefined) this.#finished.set(name, rows = { columns: new Map(), parts: [], count: 0 });
    return rows;
  }

  #window(name: TableName, from: number, to: number): { table: ColumnTable; parts: readonly Part[] } {
    const current = to < this.#trainStep
      ? []
      : (this.#current.get(name) ?? []).filter(({ table }) => table.numRows() > 0);
    const { columns, parts, rows } = between(this.#finished.get(name), from, to);
    let count = rows;
    for (const { writer, table } of current) {
      stack(columns, table, count);
      count += table.numRows();
      parts.push({ trainStep: this.#trainStep, writer, rows: table.numRows() });
    }
    if (count === 0) return { table: emptyTable(name), parts };
    if (rows === 0 && current.length === 1) return { table: current[0]!.table, parts };
    // The cells have their types already: checking every cell of every window again would be most of the cost.
    const ordered = columnOrder(name, [...columns.keys()]).map((column) => [column, columns.get(column)!] as const);
    return { table: aq.table(Object.fromEntries(ordered)), parts };
  }

  #cached(key: string, make: () => ColumnTable): ColumnTable {
    let table = this.#readCache.get(key);
    if (table === undefined) this.#readCache.set(key, table = make());
    return table;
  }
}

/** The table with the dictionary's types; a missing train step is filled in. */
function normalised(name: TableName, table: ColumnTable, trainStep: number | null): ColumnTable {
  const columns: Record<string, ArrayLike<unknown>> = {};
  for (const column of table.columnNames()) columns[column] = cells(table, column);
  if (trainStep !== null) columns.train_step ??= new Int32Array(table.numRows()).fill(trainStep);
  return tableOf(name, columns);
}

/** The array behind a column where there is one: called for every column of every write. */
export function cells(table: ColumnTable, column: string): ArrayLike<unknown> {
  const data = (table.data() as Record<string, unknown>)[column];
  const isArray = Array.isArray(data) || ArrayBuffer.isView(data);
  if (!isArray || table.isFiltered() || table.isOrdered()) return columnArray(table, column);
  return data as unknown as ArrayLike<unknown>;
}

function sliceRows(name: TableName, table: ColumnTable, from: number, to: number): ColumnTable {
  const slice = (column: string) => Array.prototype.slice.call(cells(table, column), from, to) as unknown[];
  return tableOf(name, Object.fromEntries(table.columnNames().map((column) => [column, slice(column)])));
}

/** Puts the rows of a table below `count` rows of columns; null where either lacks a column. */
function stack(columns: Map<string, unknown[]>, table: ColumnTable, count: number): readonly string[] {
  const names = table.columnNames();
  const rows = table.numRows();
  for (const column of names) {
    const values = cells(table, column);
    let all = columns.get(column);
    if (all === undefined) columns.set(column, all = new Array<null>(count).fill(null));
    for (let row = 0; row < rows; row++) all.push(values[row]);
  }
  for (const all of columns.values()) while (all.length < count + rows) all.push(null);
  return names;
}

function append(finished: Finished, table: ColumnTable, trainStep: number): void {
  const names = stack(finished.columns, table, finished.count);
  finished.count += table.numRows();
  // The earlier list when it is equal, so that windows compare lists by identity.
  const earlier = finished.parts.at(-1)?.columns;
  const same = earlier?.length === names.length && names.every((name, index) => earlier[index] === name);
  finished.parts.push({ trainStep, writer: "", rows: table.numRows(), columns: same ? earlier : names });
}

/** Drops the rows of `trainStep` and later. */
function truncate(finished: Finished, trainStep: number): void {
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
function between(finished: Finished | undefined, from: number, to: number): Slice {
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
