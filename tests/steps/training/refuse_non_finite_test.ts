import assert from "node:assert/strict";
import { tableOfRows } from "../../../data/tables/mod.ts";
import type { StepContext } from "../../../steps/step.ts";
import { refuseNonFinite } from "../../../steps/training/refuse_non_finite.ts";
import type { Update } from "../../../steps/training/update.ts";

const table = tableOfRows("messages", []);
const update = (nonFinite: Update["nonFinite"], number = 2) =>
  ({ row: { train_step: 3, update: number, loss: NaN, grad_norm: 2 }, nonFinite }) as unknown as Update;

Deno.test("refuseNonFinite() keeps the messages and ends the step with both numbers, at a finite update nothing", () => {
  const written: unknown[] = [],
    context = { write: (tables: unknown) => written.push(tables) } as unknown as StepContext;
  refuseNonFinite(context, update(null), "at all");
  assert.deepEqual(written, []);
  assert.throws(
    () => refuseNonFinite(context, update({ text: "layer 0", table }), "with the reward model"),
    new RangeError(
      "Cannot go on with the reward model: loss NaN and gradient norm 2 at train step 3, want finite numbers (first " +
        "non-finite: layer 0); the weights are as before that update; lower learning_rate",
    ),
  );
  assert.deepEqual(written, [{ messages: table }]);
  const remedies = (["weight a: 1 of 2", "input b: 1 of 2", "forward, c: 1 of 2"] as const).map((text) => {
    try {
      refuseNonFinite(context, update({ text, table }, 1), "at all");
    } catch (error) {
      return (error as Error).message.split("; ").at(-1);
    }
  });
  assert.deepEqual(remedies, [
    "load other weights",
    "look at the rows of this update",
    "look at the options of the loss and at the rows of this update",
  ]);
});
