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
import { columnArray, columnOrder, concatTables, emptyTable, tableOf } from "../../data/tables/mod.ts";
import type { TableWrites } from "../../steps/step.ts";
import { append, between, dropBefore, type Finished, type Part, stack, truncate } from "./finished_rows.ts";

/** Tables without a train step: written and stored as a whole. */
export const WHOLE_TABLES: ReadonlySet<TableName> = new Set(
  (Object.keys(TABLES) as TableName[]).filter((name) => !("train_step" in TABLES[name])),
);

/** Tables whose rows of one train step come from several steps: writing replaces the writer's own rows only. */
const BY_WRITER: ReadonlySet<TableName> = new Set<TableName>(["evaluations", "findings"]);

/** Completions of this many train steps stay in memory. */
export const MEMORY_STEPS = 16;

/** Rows of this many train steps of a table stay in memory; older ones are read from the run folder when asked for. */
const KEPT_STEPS: Partial<Record<TableName, number>> = {
  completions: MEMORY_STEPS,
  // As far as `diagnose` looks back often: the whole run, but for very long ones.
  metrics: 8192,
  updates: 8192,
  evaluations: 4096,
  messages: 1024,
  groups: 1024,
  findings: 1024,
};
const OTHER_STEPS = 128;

/** Stored rows of train steps `from` to `to`, oldest first. */
type Archive = (name: TableName, from: number, to: number) => readonly ColumnTable[];

/** Rows that one step wrote in the current train step. */
interface Written {
  readonly writer: string;
  readonly table: ColumnTable;
}

type Current = ReadonlyMap<TableName, readonly Written[]>;

export class RunTables {
  /** Whole tables changed since the store last wrote them. */
  readonly changed: Set<TableName> = new Set<TableName>();
  /** Where rows are that memory has forgotten; without it windows end there. */
  archive: Archive = () => [];
  #trainStep = 0;
  #whole = new Map<TableName, ColumnTable>();
  #current = new Map<TableName, readonly Written[]>();
  readonly #finished = new Map<TableName, Finished>();
  /** The first train step of a table that is in memory, where that is not the first of all. */
  readonly #from = new Map<TableName, number>();
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
    const first = this.#trainStep - kept + 1, inMemory = this.#from.get(name) ?? 0;
    return this.#cached(`${name} ${kept}`, () => {
      const { table } = this.#window(name, first, this.#trainStep);
      const older = inMemory > 0 && first < inMemory && name !== "completions"
        ? this.archive(name, first, inMemory - 1)
        : [];
      return older.length === 0 ? table : concatTables(name, [...older, table]);
    });
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

  /** The first train step whose rows of a table memory may hold. */
  windowStart(name: TableName): number {
    const steps = name === "completions" ? this.#completionSteps : KEPT_STEPS[name] ?? OTHER_STEPS;
    return Math.max(0, this.#trainStep - steps + 1);
  }

  /** Forgets rows that lie too far back; call it when the store has written all rows of finished train steps. */
  forget(): void {
    for (const name of Object.keys(TABLES) as TableName[]) {
      if (WHOLE_TABLES.has(name)) continue;
      let first = this.windowStart(name);
      const finished = this.#finished.get(name);
      if (finished !== undefined) first = Math.max(first, dropBefore(finished, first));
      if (first > 0) this.#from.set(name, Math.max(first, this.#from.get(name) ?? 0));
    }
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
  for (const column of table.columnNames()) columns[column] = columnArray(table, column);
  if (trainStep !== null) columns.train_step ??= new Int32Array(table.numRows()).fill(trainStep);
  return tableOf(name, columns);
}

function sliceRows(name: TableName, table: ColumnTable, from: number, to: number): ColumnTable {
  const slice = (column: string) => Array.prototype.slice.call(columnArray(table, column), from, to) as unknown[];
  return tableOf(name, Object.fromEntries(table.columnNames().map((column) => [column, slice(column)])));
}
