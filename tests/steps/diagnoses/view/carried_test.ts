/** What is learned in training carries over to held-out rows, or does not. */
import assert from "node:assert/strict";
import { carriesOver } from "../../../../steps/diagnoses/view/carried.ts";
import { flat, viewOf } from "../synthetic.ts";

const carries = (evaluations: Record<string, number[]>, mine = 0.95) =>
  carriesOver(
    viewOf({
      algorithm: "sft",
      columns: { loss: flat(1, 100), preference_accuracy: flat(mine, 100) },
      evaluations,
      evaluationSteps: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
    }),
    50,
  );

Deno.test("carriesOver() hears a held-out loss that falls, or accuracy that rises, since a train step", () => {
  assert(carries({ loss: [2, 1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1] }));
  assert(carries({ accuracy: [0.5, 0.5, 0.5, 0.5, 0.5, 0.55, 0.6, 0.65, 0.7, 0.7] }));
  assert(!carries({ loss: [2, 1.8, 1.6, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5] }), "it fell before");
  assert(!carries({ loss: [2, 1.5, 2, 1.5, 2, 1.5, 2, 1.5, 1.5, 1.6] }), "noise");
  assert(!carries({ loss: [2, 1.9, 1.8, 1.7, 1.6, 1.7, 1.8, 1.9, 2, 2.1] }));
});

Deno.test("carriesOver() compares held-out pairs with those of training", () => {
  assert(carries({ preference_accuracy: flat(0.9, 10) as number[] }));
  assert(!carries({ preference_accuracy: flat(0.7, 10) as number[] }));
});
