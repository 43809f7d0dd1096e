/** The rule reward_imbalance: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, type Curve, healthyRuns, longRun, noisy } from "./long_run.ts";
import { begins, testRule, viewOf } from "./synthetic.ts";

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
    /^format_reward went from about 0\.\d+ to \S+ and has 94.12 % of the variance, accuracy_reward stays at 0\.\d+$/,
  );
});

Deno.test("reward_imbalance is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.reward_imbalance.check(viewOf(run)), null);
});

/** A goal beside a reward for style that goes its own way, with the deviation of each. */
function beside(goal: Curve, style: Curve, deviations: readonly [number, number] | null) {
  const accuracy = noisy(goal, 0.01, { seed: 3 }), other = noisy(style, 0.02, { seed: 4 });
  const columns = {
    reward: accuracy.map((value, i) => value + other[i]!),
    "reward.accuracy_reward": accuracy,
    "reward.style_reward": other,
  };
  return DIAGNOSES.reward_imbalance.check(viewOf(longRun(
    deviations === null ? columns : {
      ...columns,
      "reward_std.accuracy_reward": accuracy.map(() => deviations[0]),
      "reward_std.style_reward": accuracy.map(() => deviations[1]),
    },
  )));
}

Deno.test("reward_imbalance names noise in which the goal is drowned, and none where the goal rises all the same", () => {
  const found = beside(() => 0.4, () => 0.5, [0.1, 0.5]);
  assert(found !== null && "message" in found);
  assert.match(
    found.message,
    /^style_reward has 96.15 % of the variance of all rewards and goes nowhere \(about 0\.\d+ to 0\.\d+\), and accuracy_reward did not rise/,
  );
  assert.deepEqual([found.severity, found.trend, found.confirm], ["error", true, undefined]);
  assert.equal(beside(between(0.2, 0.6), () => 0.5, [0.1, 0.5]), null, "it rises");
  assert.equal(beside(() => 0.4, () => 0.5, [0.2, 0.4]), null, "four fifths of the variance");
  const rises = beside(() => 0.4, between(0.2, 0.8), [0.1, 0.5]);
  assert.match(
    JSON.stringify(rises),
    /style_reward went from about 0\.\d+ to 0\.\d+ and has 96.15 %/,
    "what rises is no noise",
  );
  assert.equal(
    beside(() => 0.4, between(0.2, 0.8), [0.12, 0.5]),
    null,
    "with 94.6 % of it a goal of 0.4 is half learned",
  );
  assert.equal(beside(() => 0.65, between(0.2, 0.8), [0.1, 0.5]), null, "a goal of 0.65 is learned");
});

Deno.test("reward_imbalance is in doubt where no deviation says how loud a reward is", () => {
  const doubt = (deviations: readonly [number, number] | null) => {
    const found = beside(() => 0.1, between(0.1, 1, 0, 0.4), deviations);
    assert(found !== null && "message" in found);
    return found.confirm;
  };
  assert.deepEqual([doubt(null), doubt([0.3, 0.4]), doubt([0.1, 0.4])], [
    "print the deviation of each reward function",
    "print the deviation of each reward function",
    undefined,
  ]);
});

Deno.test("reward_imbalance takes a goal that rises by a twenty-fifth of its scale and less for still", () => {
  const rises = (by: number) => beside(between(0.1, 0.1 + by), between(0.1, 1, 0, 0.4), [0.1, 0.4]);
  assert.match(JSON.stringify(rises(0.03)), /accuracy_reward stays at 0\.1/);
  assert.equal(rises(0.08), null);
});

Deno.test("reward_imbalance begins where the loud reward leaves its first level, not half way up", () => {
  const first = begins("reward_imbalance", longRun(two(() => 0.05, between(0.2, 0.95, 0.3, 0.9))));
  assert(first > 85 && first < 125, String(first));
});

Deno.test("reward_imbalance of a function that is full waits as long as a goal takes that is learned after it", () => {
  const check = (begin: number) => {
    const form = noisy(between(0.1, 0.95, begin, begin + 0.05), 0.01), goal = noisy(() => 0.1, 0.01);
    return DIAGNOSES.reward_imbalance.check(viewOf(longRun({
      reward: form.map((value, i) => value + goal[i]!),
      "reward.format_reward": form,
      "reward.accuracy_reward": goal,
    })));
  };
  assert.notEqual(check(0.2), null);
  assert.equal(check(0.7), null);
});
