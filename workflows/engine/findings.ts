/** The findings of a run so far: one per cause, however often a diagnosis repeats it. @module */
import type { ColumnTable } from "arquero";
import { columnArray } from "../../data/tables/mod.ts";
import { SEVERITIES } from "../../data/severity.ts";

/** A finding as run.json, the last event and the terminal show it. */
export interface RunFinding {
  readonly cause: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string;
  /** Train step at which it was first found. */
  readonly train_step: number;
  /** Whether the verdict on the whole run names it too; absent while the run goes on. */
  readonly at_end?: boolean;
  readonly [key: string]: unknown;
}

export class RunFindings {
  readonly #byCause = new Map<string, RunFinding>();

  constructor(earlier: readonly RunFinding[] = []) {
    for (const finding of earlier) this.#byCause.set(finding.cause, finding);
  }

  /** Takes the rows of a findings table; returns those that are new or have become more severe. */
  add(table: ColumnTable, trainStep: number): RunFinding[] {
    const columns = table.columnNames().filter((name) => name !== "train_step").map((name) =>
      [name, columnArray(table, name)] as const
    );
    const fresh: RunFinding[] = [];
    for (let row = 0; row < table.numRows(); row++) {
      const values: Record<string, unknown> = Object.fromEntries(
        columns.map(([name, array]) => [name, plain(array[row])]),
      );
      const known = this.#byCause.get(String(values.cause));
      const finding = { ...values, train_step: known?.train_step ?? trainStep } as RunFinding;
      if (known === undefined || rank(finding) < rank(known)) fresh.push(finding);
      this.#byCause.set(finding.cause, known !== undefined && rank(known) < rank(finding) ? known : finding);
    }
    return fresh;
  }

  /** Marks what holds at the end of the run, as its verdict names it. */
  end(causes: readonly string[]): void {
    for (const [cause, finding] of this.#byCause) {
      this.#byCause.set(cause, { ...finding, at_end: causes.includes(cause) });
    }
  }

  /** Worst first, then in order of appearance. */
  get all(): RunFinding[] {
    return [...this.#byCause.values()].sort((a, b) => rank(a) - rank(b) || a.train_step - b.train_step);
  }
}

const rank = ({ severity }: RunFinding) => {
  const at = (SEVERITIES as readonly string[]).indexOf(severity);
  return at < 0 ? SEVERITIES.length : at;
};

function plain(value: unknown): unknown {
  return ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value ?? null;
}
