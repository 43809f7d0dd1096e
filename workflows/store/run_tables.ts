/**
 * The rows of a run in memory, by column, in the order of the train steps in which they were written.
 *
 * Reading a window is slicing arrays. Only rows of the current train step change; a step that is abandoned is rolled
 * back to the last mark.
 * @module
 */
import type { ColumnTable } from "arquero";
import { type TableName, TABLES } from "../../data/columns.ts";
import { columnArray, emptyTable, tableOf } from "../../data/tables/mod.ts";
import type { TableWrites } from "../../steps/step.ts";

/** Tables without a train step: written and stored as a whole. */
export const WHOLE_TABLES: ReadonlySet<TableName> = new Set(
  (Object.keys(TABLES) as TableName[]).filter((name) => !("train_step" in TABLES[name])),
);

/** Tables whose rows of one train step come from several steps: writing replaces the writer's own rows only. */
const BY_WRITER: ReadonlySet<TableName> = new Set<TableName>(["evaluations", "findings"]);

/** Rows that one step wrote in one train step. */
export interface Part {
  readonly trainStep: number;
  readonly writer: string;
  readonly rows: number;
  readonly columns: readonly string[];
}

/** One table's rows. */
interface Rows {
  readonly columns: Map<string, unknown[]>;
  parts: Part[];
  count: number;
}

interface Tail {
  readonly partIndex: number;
  readonly from: number;
  readonly parts: readonly Part[];
  readonly columns: ReadonlyMap<string, readonly unknown[]>;
}

export class RunTables {
  /** The current train step, 0 before the first. */
  trainStep = 0;
  /** Whole tables changed since the store last wrote them. */
  readonly changed: Set<TableName> = new Set<TableName>();
  readonly #whole = new Map<TableName, ColumnTable>();
  readonly #rows = new Map<TableName, Rows>();
  readonly #undoRows = new Map<TableName, Tail>();
  readonly #undoWhole = new Map<TableName, ColumnTable | null>();
  #markedStep = 0;
  #readCache = new Map<string, ColumnTable>();

  constructor(readonly keepCompletions: number | "all") {}

  /** Rows of the current train step, or the whole table. */
  table(name: TableName): ColumnTable {
    return this.#cached(`${name}`, () => this.#whole.get(name) ?? this.#window(name, this.trainStep));
  }

  /** Rows of the last `trainSteps` train steps; of completions never more than are kept, so that a resume sees the same. */
  history(name: TableName, trainSteps: number): ColumnTable {
    if (WHOLE_TABLES.has(name)) return this.table(name);
    const kept = name === "completions" && this.keepCompletions !== "all"
      ? Math.min(trainSteps, Math.max(1, this.keepCompletions))
      : trainSteps;
    return this.#cached(`${name} ${kept}`, () => this.#window(name, this.trainStep - kept + 1));
  }

  /** Replaces rows of the current train step; those of other writers too, unless the table is kept by writer. */
  write(tables: TableWrites, writer: string): void {
    this.#readCache.clear();
    for (const [key, table] of Object.entries(tables)) {
      const name = key as TableName;
      if (WHOLE_TABLES.has(name)) {
        if (!this.#undoWhole.has(name)) this.#undoWhole.set(name, this.#whole.get(name) ?? null);
        this.#whole.set(name, normalised(name, table, null));
        this.changed.add(name);
        continue;
      }
      const rows = this.#rowsOf(name);
      if (!this.#undoRows.has(name)) this.#undoRows.set(name, { ...cut(rows, this.#markedStep) });
      const current = cut(rows, this.trainStep);
      const kept = BY_WRITER.has(name) ? current.parts.filter((part) => part.writer !== writer) : [];
      const old = kept.length === 0 ? [] : splitTail(current);
      truncate(rows, current);
      for (const [part, columns] of old) if (kept.includes(part)) append(rows, part, columns);
      const stored = normalised(name, table, this.trainStep);
      appendTable(rows, stored, { trainStep: this.trainStep, writer });
    }
  }

  /** From here a rollback starts. */
  mark(): void {
    this.#undoRows.clear();
    this.#undoWhole.clear();
    this.#markedStep = this.trainStep;
  }

  /** Takes back every row and train step since the mark. */
  rollback(): void {
    this.#readCache.clear();
    for (const [name, tail] of this.#undoRows) {
      const rows = this.#rowsOf(name);
      truncate(rows, tail);
      for (const [part, columns] of splitTail(tail)) append(rows, part, columns);
    }
    for (const [name, table] of this.#undoWhole) {
      if (table === null) this.#whole.delete(name);
      else this.#whole.set(name, table);
      this.changed.add(name);
    }
    this.trainStep = this.#markedStep;
    this.mark();
  }

  /** Starts the next train step. */
  advance(): number {
    this.#readCache.clear();
    return ++this.trainStep;
  }

  /** The rows of each table with `from <= train step <= to`, for the store; tables without such rows are left out. */
  rowsBetween(from: number, to: number): Map<TableName, { table: ColumnTable; parts: readonly Part[] }> {
    const found = new Map<TableName, { table: ColumnTable; parts: readonly Part[] }>();
    for (const [name, rows] of this.#rows) {
      const parts = rows.parts.filter((part) => part.trainStep >= from && part.trainStep <= to && part.rows > 0);
      if (parts.length > 0) found.set(name, { table: this.#window(name, from, to), parts });
    }
    return found;
  }

  /** Every whole table. */
  get whole(): ReadonlyMap<TableName, ColumnTable> {
    return this.#whole;
  }

  /** How many rows the current train step has. */
  currentRows(name: TableName): number {
    const rows = this.#rows.get(name);
    return rows === undefined ? 0 : rows.count - cut(rows, this.trainStep).from;
  }

  /** Forgets completions that are no longer kept. */
  forget(): void {
    const rows = this.#rows.get("completions");
    if (this.keepCompletions === "all" || rows === undefined) return;
    const first = this.trainStep - Math.max(1, this.keepCompletions) + 1;
    const parts = rows.parts.filter((part) => part.trainStep >= first);
    const gone = rows.count - parts.reduce((sum, part) => sum + part.rows, 0);
    if (gone === 0) return;
    for (const values of rows.columns.values()) values.splice(0, gone);
    rows.parts = parts;
    rows.count -= gone;
    this.mark();
  }

  /** Appends stored rows, oldest first (resume). */
  restore(name: TableName, table: ColumnTable, parts: readonly Omit<Part, "columns">[]): void {
    this.#readCache.clear();
    if (WHOLE_TABLES.has(name)) {
      this.#whole.set(name, table);
      this.changed.add(name);
      return;
    }
    const rows = this.#rowsOf(name);
    let from = 0;
    for (const part of parts) {
      const columns = new Map(
        table.columnNames().map((column) => {
          const values = columnArray(table, column);
          return [column, Array.prototype.slice.call(values, from, from + part.rows) as unknown[]] as const;
        }),
      );
      append(rows, { ...part, columns: table.columnNames() }, columns);
      from += part.rows;
    }
  }

  #rowsOf(name: TableName): Rows {
    let rows = this.#rows.get(name);
    if (rows === undefined) this.#rows.set(name, rows = { columns: new Map(), parts: [], count: 0 });
    return rows;
  }

  #window(name: TableName, fromStep: number, toStep = Infinity): ColumnTable {
    const rows = this.#rows.get(name);
    if (rows === undefined) return emptyTable(name);
    const { from, partIndex } = cut(rows, fromStep);
    let to = from;
    const names = new Set<string>();
    let seen: readonly string[] | null = null;
    for (let index = partIndex; index < rows.parts.length; index++) {
      const part = rows.parts[index]!;
      if (part.trainStep > toStep) break;
      to += part.rows;
      if (part.columns !== seen) { for (const column of seen = part.columns) names.add(column); }
    }
    if (to === from) return emptyTable(name);
    return tableOf(name, Object.fromEntries([...names].map((c) => [c, rows.columns.get(c)!.slice(from, to)])));
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

function appendTable(rows: Rows, table: ColumnTable, part: Pick<Part, "trainStep" | "writer">): void {
  const names = table.columnNames();
  const columns = new Map(names.map((column) => [column, Array.from(columnArray(table, column))]));
  append(rows, { ...part, rows: table.numRows(), columns: sameList(rows.parts.at(-1)?.columns, names) }, columns);
}

/** The earlier list when it is equal, so that windows compare lists by identity. */
function sameList(earlier: readonly string[] | undefined, names: readonly string[]): readonly string[] {
  return earlier?.length === names.length && names.every((name, index) => earlier[index] === name) ? earlier : names;
}

function append(rows: Rows, part: Part, columns: ReadonlyMap<string, readonly unknown[]>): void {
  for (const [column, values] of columns) {
    let all = rows.columns.get(column);
    if (all === undefined) rows.columns.set(column, all = new Array<null>(rows.count).fill(null));
    for (const value of values) all.push(value);
  }
  rows.count += part.rows;
  rows.parts.push(part);
  for (const all of rows.columns.values()) while (all.length < rows.count) all.push(null);
}

/** Where the rows of `trainStep` and later begin; `columns` copies them when it is asked for (spread it to do so). */
function cut(rows: Rows, trainStep: number): Tail {
  let partIndex = rows.parts.length;
  let from = rows.count;
  while (partIndex > 0 && rows.parts[partIndex - 1]!.trainStep >= trainStep) from -= rows.parts[--partIndex]!.rows;
  const parts = rows.parts.slice(partIndex);
  return {
    partIndex,
    from,
    parts,
    get columns() {
      return new Map([...rows.columns].map(([name, values]) => [name, values.slice(from)]));
    },
  };
}

function truncate(rows: Rows, tail: Tail): void {
  for (const values of rows.columns.values()) values.length = tail.from;
  rows.parts.length = tail.partIndex;
  rows.count = tail.from;
}

function splitTail(tail: Tail): [Part, ReadonlyMap<string, readonly unknown[]>][] {
  let from = 0;
  const columns = tail.columns;
  return tail.parts.map((part) => {
    const mine = new Map(part.columns.map((name) => [name, columns.get(name)!.slice(from, from + part.rows)]));
    from += part.rows;
    return [part, mine];
  });
}
