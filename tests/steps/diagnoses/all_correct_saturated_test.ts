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

/** A long run that is solved to a level by a third of it, and whose groups tie from one time to another. */
const solved = (top: number, ties: number, begin = 0, end = 0.3, more: Record<string, readonly number[]> = {}) => {
  const reward = noisy(between(0.4, top, 0, 0.3), 0.01);
  return longRun({
    reward,
    "reward.accuracy_reward": reward,
    zero_spread_fraction: noisy(between(0.1, ties, begin, end), 0.02),
    ...more,
  });
};

Deno.test("all_correct_saturated of a long run wants nine tenths of the scale, 85 % of ties, and half of the run", () => {
  const fires = (run: ReturnType<typeof solved>) => DIAGNOSES.all_correct_saturated.check(viewOf(run)) !== null;
  assert.ok(fires(solved(0.96, 0.93)));
  assert.ok(!fires(solved(0.85, 0.93)), "a scale that is not at its end");
  assert.ok(!fires(solved(0.96, 0.8)), "one group in five still differs");
  assert.ok(fires(solved(0.96, 0.93, 0.2, 0.45)));
  assert.ok(!fires(solved(0.96, 0.93, 0.3, 0.65)), "for two fifths of the run");
  const unknown = { "reward.accuracy_reward": [] };
  assert.ok(fires(solved(2.25, 0.93, 0, 0.3, { ...unknown, reward_max: noisy(() => 2.3, 1e-3) })));
  assert.ok(!fires(solved(2.25, 0.93, 0, 0.3, { ...unknown, reward_max: noisy(() => 3, 1e-3) })));
});

Deno.test("all_correct_saturated of a long run is dated where ties became the rule, also where later records are all tied", () => {
  const run = solved(0.96, 0.93);
  const late = (name: string) => run.columns![name]!.map((value, i) => i > 200 ? 1 : Math.min(0.99, value!));
  const found = DIAGNOSES.all_correct_saturated.check(viewOf({
    ...run,
    columns: {
      ...run.columns,
      reward: late("reward"),
      "reward.accuracy_reward": late("reward.accuracy_reward"),
      zero_spread_fraction: late("zero_spread_fraction"),
    },
  }));
  assert(found !== null && "message" in found);
  assert.equal(found.trend, true);
  assert(found.trainSteps[0]! < 120, String(found.trainSteps[0]));
});
