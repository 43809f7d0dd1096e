/** The rule reward_imbalance: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, type Curve, healthyRuns, longRun, noisy } from "./long_run.ts";
import { testRule, viewOf } from "./synthetic.ts";

/** A goal and a format reward, and their sum. */
function two(goal: Curve, format: Curve) {
  const accuracy = noisy(goal, 0.02, { seed: 3 }), shape = noisy(format, 0.02, { seed: 4 });
  return {
    reward: accuracy.map((value, i) => value + shape[i]!),
    "reward.accuracy_reward": accuracy,
    "reward.format_reward": shape,
    "reward_std.accuracy_reward": accuracy.map(() => 0.1),
    "reward_std.format_reward": accuracy.map(() => 0.4),
  };
}

testRule("reward_imbalance", {
  fires: {
    "a format that is learned beside an accuracy that stays at 0.1": longRun(two(() => 0.1, between(0.1, 1, 0, 0.4))),
  },
  silent: {
    "an accuracy that rises after the format": longRun(two(between(0.1, 0.6), between(0.1, 1, 0, 0.4))),
    "an accuracy that stays high": longRun(two(() => 0.7, between(0.1, 1, 0, 0.4))),
    "a format that is as it was": longRun(two(() => 0.1, () => 0.5)),
    "a goal alone": longRun({ reward: noisy(() => 0.1, 0.02), "reward.accuracy_reward": noisy(() => 0.1, 0.02) }),
  },
});

Deno.test("reward_imbalance says what the loud one has of the variance", () => {
  const found = DIAGNOSES.reward_imbalance.check(viewOf(longRun(two(() => 0.1, between(0.1, 1, 0, 0.4)))));
  assert(found !== null && "message" in found);
  assert.match(
    found.message,
    /^format_reward went from 0\.\d+ to \S+ and has 94.12 % of the variance, accuracy_reward stays at 0\.\d+$/,
  );
});

Deno.test("reward_imbalance is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.reward_imbalance.check(viewOf(run)), null);
});
