/** Metrics that a tracker keeps name by name, put together by their train steps. @module */
import type { Intake } from "./intake.ts";

export class StepRows {
  readonly #rows = new Map<number, Map<string, number>>();

  /** One value; of several for a train step the last counts. */
  add(step: number, name: string, value: number): void {
    let row = this.#rows.get(step);
    if (row === undefined) this.#rows.set(step, row = new Map());
    row.set(name, value);
  }

  /** All values of a name in the order in which they were logged. Logged without steps, all are of step 0: they are counted. */
  addSeries(name: string, points: readonly { readonly step: number; readonly value: number }[]): void {
    const counted = points.length > 1 && points.every(({ step }) => step === 0);
    points.forEach(({ step, value }, i) => this.add(counted ? i + 1 : step, name, value));
  }

  /** The rows in the order of their steps. */
  get rows(): readonly (readonly [step: number, row: ReadonlyMap<string, number>])[] {
    return [...this.#rows].sort(([a], [b]) => a - b);
  }

  /** Hands the rows over as records, each with its number in place of a line. */
  commit(intake: Intake): void {
    const { stage } = intake;
    let line = 0;
    for (const [step, row] of this.rows) {
      line++;
      stage.reset();
      for (const [name, value] of row) stage.put(name, value);
      intake.commit({ line, step, metrics: true });
    }
  }
}
