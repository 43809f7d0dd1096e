/** Calls of a tracker's `log`: names with their values, and the train step that each belongs to. @module */
import { numberOf } from "../source/python_json.ts";
import type { Intake } from "./intake.ts";

/** The calls of one run, in the order in which they were made. */
export class LoggedCalls {
  /** The trainer's step that was logged last. */
  #own: number | null = null;

  constructor(private readonly intake: Intake) {}

  /**
   * Takes the numbers of one call as a record. `calls` is the tracker's own count of calls: the trainer's step is better, of
   * this call, or of one before where this one logs none (a table of completions).
   */
  take(logged: Iterable<{ readonly key: string; readonly value: unknown }>, calls: unknown, line: number): void {
    const { stage } = this.intake;
    stage.reset();
    for (const { key, value } of logged) {
      const number = numberOf(value);
      if (!key.startsWith("_") && (number !== null || value === null)) stage.put(key, number);
    }
    if (stage.count === 0) return;
    const at = stage.infos.slice(0, stage.count).findIndex((info) => info.isStep);
    if (at >= 0) this.#own = stage.values[at]!;
    this.intake.commit({ line, step: this.#own ?? numberOf(calls) ?? undefined, metrics: true });
  }
}
