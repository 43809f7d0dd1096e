/** Follows which columns are there while the steps of a plan run one after the other. @module */
import { type TableName, TABLES } from "../../data/columns.ts";
import type { Earlier, Step } from "../../steps/step.ts";

/** A step as far as its rows go. */
export interface Maker {
  readonly id: string;
  /** Runs in every n-th round. */
  readonly every: number;
  /** The `repeat` blocks around it, outermost first. */
  readonly blocks: readonly string[];
}

interface Rows {
  /** Who wrote each column. */
  readonly columns: Map<string, Maker>;
  /** A step that does not say which columns it writes has written the table. */
  any: boolean;
}

export class RowsInPlan {
  readonly #rows = new Map<TableName, Rows>();
  readonly #written = new Set<TableName>();
  readonly #outer: ReadonlySet<string>;
  #block: string | undefined;

  /** blocks: those around each step of the plan. */
  constructor(blocks: readonly (readonly string[])[]) {
    this.#outer = new Set(blocks.flatMap((around) => around.slice(0, -1)));
  }

  /** A step begins. Each round of an innermost block is a train step, which begins without rows. */
  enter({ blocks }: Maker): void {
    const block = blocks.at(-1);
    if (block === this.#block) return;
    this.#block = block;
    if (block === undefined || this.#outer.has(block)) return;
    for (const table of [...this.#rows.keys()]) if ("train_step" in TABLES[table]) this.#rows.delete(table);
  }

  /** A step of some kind has run. */
  write(step: Maker & { readonly kind: Step; readonly params: unknown }, earlier: Earlier): void {
    for (const [name, columns] of Object.entries(step.kind.writes)) {
      const table = name as TableName;
      this.#written.add(table);
      const before = Object.hasOwn(step.kind.reads, table) ? this.#rows.get(table) : undefined;
      const rows: Rows = before ?? { columns: new Map(), any: false };
      if (columns.length === 0) rows.any = true;
      for (const column of columns) {
        if (typeof column === "string") rows.columns.set(column, step);
        else if (step.params === null || column.when(step.params, earlier)) rows.columns.set(column.column, step);
      }
      this.#rows.set(table, rows);
    }
  }

  /** The table is missing and that was said: from here on it counts as written. */
  suppose(table: TableName): void {
    this.#written.add(table);
    this.#rows.set(table, { columns: new Map(), any: true });
  }

  /** Some step has written the table, in whatever round. */
  wasWritten(table: TableName): boolean {
    return this.#written.has(table);
  }

  /** Who wrote a column of the current train step; "any" when that cannot be known, null when nobody did. */
  writer(table: TableName, column: string): Maker | "any" | null {
    const rows = this.#rows.get(table);
    return rows?.any ? "any" : rows?.columns.get(column) ?? null;
  }
}
