import assert from "node:assert/strict";
import { grpo } from "../../../steps/advantages/grpo.ts";
import { moments, zeroSpreadFraction } from "../../../data/statistics/mod.ts";
import { weightedSum } from "../../../steps/rewards/weighted_sum.ts";
import { assertClose, consecutive, goldenCases, hasNoGroupOfOne, perCompletion } from "./golden_cases.ts";

Deno.test("grpo.advantages() agrees with TRL for every scale, several rewards, weights and missing values", async () => {
  for (const { name, params, inputs, outputs } of await goldenCases("trl_advantages.json", "sum_then_normalize")) {
    const values = inputs.rewards.map((row: unknown) => Array.isArray(row) ? row : [row]) as (number | null)[][];
    const weights = params.reward_weights as number[] ?? values[0]!.map(() => 1);
    const rewards = values.map((row) => weightedSum(row, weights));
    const groups = consecutive(rewards.length, params.num_generations as number);
    const scale = params.scale_rewards as "group" | "batch" | "none";
    const given = grpo.params.parse({ scale });
    assertClose(grpo.advantages(given, { rewards, groups, lengths: [] }), outputs.advantages, name);
    if (scale !== "batch") {
      assertClose([zeroSpreadFraction(rewards, groups)!], [outputs.metrics.frac_reward_zero_std], name);
    }
    assertClose([moments(rewards).std], [outputs.metrics.reward_std], name);
  }
});

Deno.test("grpo.advantages() agrees with verl, whose eps is 1e-6 and whose groups are not adjacent", async () => {
  for (const golden of (await goldenCases("verl_advantages.json", "grpo/")).filter(hasNoGroupOfOne)) {
    const { rows, advantages, ...batch } = perCompletion(golden);
    const scale = golden.params.norm_adv_by_std_in_grpo ? "group" : "none";
    const actual = grpo.advantages({ scale, eps: golden.params.epsilon as number, group_of_one: "refuse" }, batch);
    assertClose(rows.map((row) => actual[row]!), rows.map((row) => advantages[row]!), golden.name);
  }
});

Deno.test("grpo.advantages() of [1,0,0,1 | 1,1,1,1] is ±0.865875 and exactly 0", () => {
  const batch = { rewards: [1, 0, 0, 1, 1, 1, 1, 1], groups: consecutive(8, 4), lengths: [] };
  const actual = grpo.advantages({ scale: "group", eps: 1e-4, group_of_one: "refuse" }, batch);
  assert.deepEqual(actual.map((value) => Math.round(value * 1e6) / 1e6), [
    0.865875,
    -0.865875,
    -0.865875,
    0.865875,
    0,
    0,
    0,
    0,
  ]);
});

Deno.test("grpo.advantages() of equal rewards is exactly 0, also where their mean rounds", () => {
  const batch = { rewards: [0.1, 0.1, 0.1], groups: [0, 0, 0], lengths: [] };
  for (const eps of [0, 1e-4]) {
    assert.deepEqual(grpo.advantages({ scale: "group", eps, group_of_one: "refuse" }, batch), [0, 0, 0]);
  }
});

Deno.test("grpo.advantages() gives an unscored completion 0 and leaves it out of its group's mean", () => {
  const batch = { rewards: [1, null, 0, null, 5, null], groups: [0, 0, 0, 1, 1, 1], lengths: [] };
  assert.deepEqual(grpo.advantages({ scale: "none", eps: 0, group_of_one: "refuse" }, batch), [0.5, 0, -0.5, 0, 0, 0]);
});
