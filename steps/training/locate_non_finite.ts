/** Replays an update that was not applied and says which tensor was the first that is not finite. @module */
import type { ColumnTable } from "arquero";
import { tableOfRows } from "../../data/tables/mod.ts";
import type { LanguageModel, TrainBatch, TrainSettings } from "../../gpu/language_model.ts";
import type { NonFiniteValue } from "../../gpu/training/watch.ts";

/** Kind of the row in the table `messages`; its text begins with one of `NON_FINITE_KINDS`. */
const NON_FINITE_MESSAGE = "non_finite";

/** Magnitude from which the largest input speaks for an overflow: float32 ends at 3.4e38, its square root is 1.8e19. */
const HUGE = 1e18;

/** The sentence for one located value: what it is, where, how much of it. */
export function nonFiniteText({ kind, name, count, size, value, index, largestInput }: NonFiniteValue): string {
  const what = {
    weight: `weight ${name}`,
    input: `input ${name}`,
    forward: `forward, ${name}`,
    backward: `backward, ${name}`,
  };
  const from = largestInput === null
    ? ""
    : largestInput >= HUGE
    ? `; an overflow, its inputs reach ${largestInput.toExponential(1)}`
    : `; its inputs are finite, at most ${Number(largestInput.toPrecision(3))}`;
  return `${what[kind]}: ${count} of ${size} values not finite, the first at ${index} is ${value}${from}`;
}

/** What `locateNonFinite` writes. */
export const MESSAGE_COLUMNS = ["kind", "text", "value", "train_step", "source", "line"] as const;

/**
 * One row of `messages` that names the first tensor that is not finite. When all are finite the norm itself overflowed:
 * a gradient of finite values whose squares do not fit.
 */
export async function locateNonFinite(
  model: LanguageModel,
  batch: TrainBatch,
  settings: TrainSettings,
  trainStep: number,
): Promise<{ readonly table: ColumnTable; readonly text: string }> {
  const found = await model.locateNonFinite(batch, settings);
  const text = found === null
    ? "backward, every value is finite: the norm of the gradient overflows"
    : nonFiniteText(found);
  const row = { kind: NON_FINITE_MESSAGE, text, value: null, train_step: trainStep, source: "replay", line: null };
  return { table: tableOfRows("messages", [row]), text };
}
