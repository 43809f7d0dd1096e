/** A policy that a far too large rate ruins over tens of train steps. */
import assert from "node:assert/strict";
import { slowRuin } from "../../../../steps/diagnoses/view/ruin.ts";
import { between, longRun, noisy } from "../long_run.ts";
import { viewOf } from "../synthetic.ts";

const falling = {
  reward: noisy(between(0.6, 0.1, 0.05, 0.3), 0.03),
  "reward.accuracy_reward": [],
  kl: noisy(between(0, 3, 0.05, 0.3), 0.05).map(Math.abs),
};

Deno.test("a reward that falls early at 100 times the usual rate is of the rate", () => {
  const found = slowRuin(viewOf(longRun(falling)), 1e-4, 1e-6);
  assert.match(
    found!.message,
    /^The learning rate 0.0001 is 100 times the usual one; since train step \d+ the reward fell/,
  );
  assert(found!.trainSteps[0]! < 90);
});

Deno.test("a usual rate, a late fall, a small KL or a reward that rises are not", () => {
  assert.equal(slowRuin(viewOf(longRun(falling)), 1e-5, 1e-6), null);
  const late = longRun({ ...falling, reward: noisy(between(0.6, 0.1, 0.7, 0.8), 0.03) });
  assert.equal(slowRuin(viewOf(late), 1e-4, 1e-6), null);
  const near = longRun({ ...falling, kl: noisy(between(0, 0.05), 0.001).map(Math.abs) });
  assert.equal(slowRuin(viewOf(near), 1e-4, 1e-6), null);
  const paid = longRun({ ...falling, reward: noisy(between(0.2, 0.9), 0.03), accuracy: falling.reward });
  assert.equal(slowRuin(viewOf(paid), 1e-4, 1e-6), null);
});
