/** Whether a run is taught by its updates. */
import assert from "node:assert/strict";
import { isTaught } from "../../../../steps/diagnoses/view/taught.ts";
import { between, longRunOf, noisy } from "../long_run.ts";
import { flat, viewOf } from "../synthetic.ts";

Deno.test("isTaught() hears what the run is for, and of given answers the loss", () => {
  const reward = (from: number, to: number) => {
    const curve = between(from, to);
    return isTaught(viewOf(longRunOf({ reward: curve, "reward.accuracy_reward": curve })));
  };
  assert.deepEqual([reward(0.3, 0.8), reward(0.3, 0.3), reward(0.5, 0.1)], [true, false, false]);
  const loss = (from: number, to: number) =>
    isTaught(viewOf({ algorithm: "sft", columns: { loss: noisy(between(from, to), 0.05) } }));
  assert.deepEqual([loss(2, 1.4), loss(2, 1.95), loss(1.5, 2)], [true, false, false]);
  assert(!isTaught(viewOf({ algorithm: "sft", columns: { loss: flat(1, 3) } })), "a few records show nothing");
});
