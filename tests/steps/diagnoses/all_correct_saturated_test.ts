/** The rule all_correct_saturated: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { flat, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, healthyRuns, longRun, noisy } from "./long_run.ts";

testRule("all_correct_saturated", {
  fires: {
    "a goal near its top with ties for most of a long run": longRun({
      reward: noisy(between(0.4, 0.96, 0, 0.3), 0.01),
      "reward.accuracy_reward": noisy(between(0.4, 0.96, 0, 0.3), 0.01),
      zero_spread_fraction: noisy(between(0.1, 0.93, 0, 0.3), 0.03),
    }),
    "all right in a third of the records, nearly so in the others": healthyBut({
      reward: Array.from({ length: 30 }, (_, i) => i % 3 === 0 ? 1 : 0.97),
      "reward.accuracy_reward": Array.from({ length: 30 }, (_, i) => i % 3 === 0 ? 1 : 0.97),
      zero_spread_fraction: Array.from({ length: 30 }, (_, i) => i % 3 === 0 ? 1 : 0.85),
    }),
    "97 % right from the start with nearly every group tied": healthyBut({
      reward: ramp(0.98, 0.985, 30, 0.01),
      "reward.accuracy_reward": ramp(0.98, 0.985, 30, 0.01),
      zero_spread_fraction: ramp(0.9, 0.9, 30, 0.05),
    }),
    "top rewards from the first record": healthyBut({
      reward: flat(1),
      "reward.accuracy_reward": flat(1),
      zero_spread_fraction: flat(1),
      reward_std: flat(0),
      grad_norm: flat(0),
      entropy: flat(0.4),
    }),
    "every goal at 1 with another term below": {
      columns: {
        reward: [3.6],
        reward_std: [0],
        zero_spread_fraction: [1],
        "reward.mc_idx_reward": [1],
        "reward.mdi_reward": [-0.4],
      },
    },
  },
  silent: {
    "ties in the last fifth of a run that is solved late": longRun({
      reward: noisy(between(0.2, 0.96), 0.01),
      "reward.accuracy_reward": noisy(between(0.2, 0.96), 0.01),
      zero_spread_fraction: noisy(between(0.1, 0.8, 0.6, 1), 0.03),
    }),
    "ties at half of the scale": longRun({
      reward: noisy(() => 0.5, 0.01),
      "reward.accuracy_reward": noisy(() => 0.5, 0.01),
      zero_spread_fraction: noisy(() => 0.7, 0.03),
    }),
    "a constant that is no maximum": healthyBut({
      reward: flat(0.5),
      "reward.accuracy_reward": flat(0.5),
      zero_spread_fraction: flat(1),
    }),
    "a run that only ends at the top": healthyBut({
      reward: [...ramp(0.3, 0.9, 28), 1, 1],
      zero_spread_fraction: [...flat(0.2, 28), 1, 1],
    }),
  },
});

Deno.test("all_correct_saturated is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.all_correct_saturated.check(viewOf(run)), null);
});
