/** Ends a step whose update was not applied: nothing after it could be better. @module */
import type { StepContext } from "../step.ts";
import type { Update } from "./update.ts";

/**
 * Writes the rows of `messages` and throws a RangeError where loss or gradient of an update were not finite.
 *
 * what   what cannot go on, as the message says it: "with the reward model"
 */
export function refuseNonFinite(context: StepContext, { row, nonFinite }: Update, what: string): void {
  if (nonFinite === null) return;
  context.write({ messages: nonFinite.table });
  throw new RangeError(
    `Cannot go on ${what}: loss ${row.loss} and gradient norm ${row.grad_norm} at train step ${row.train_step}, want ` +
      `finite numbers (first non-finite: ${nonFinite.text}); the weights are as before that update; ${
        remedy(row, nonFinite)
      }`,
  );
}

/** What helps against weights, inputs and formulas that are not finite by themselves, at any rate: not the rate. */
function remedy(row: Update["row"], { text }: NonNullable<Update["nonFinite"]>): string {
  if (text.startsWith("weight ")) return "load other weights";
  if (text.startsWith("input ")) return "look at the rows of this update";
  return row.update === 1 ? "look at the options of the loss and at the rows of this update" : "lower learning_rate";
}
