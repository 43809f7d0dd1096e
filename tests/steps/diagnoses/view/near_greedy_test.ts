import assert from "node:assert/strict";
import { isNearGreedyOption, NEAR_GREEDY } from "../../../../steps/diagnoses/view/near_greedy.ts";

Deno.test("NEAR_GREEDY holds at its bounds, and a top_p of 0 is off", () => {
  const { temperature, top_k, top_p } = NEAR_GREEDY;
  assert.deepEqual([0, 0.05, 0.0501, 1].map(temperature), [true, true, false, false]);
  assert.deepEqual([0, 1, 2].map(top_k), [false, true, false]);
  assert.deepEqual([0, 1e-4, 0.02, 0.021, 1].map(top_p), [false, true, true, false, false]);
});

Deno.test("isNearGreedyOption() knows the table's own names only", () => {
  assert.deepEqual(["temperature", "toString", "do_sample", null].map(isNearGreedyOption), [true, false, false, false]);
});
