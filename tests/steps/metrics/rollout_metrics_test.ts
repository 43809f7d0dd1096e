import assert from "node:assert/strict";
import { table } from "arquero";
import { tableOf } from "../../../data/tables/mod.ts";
import { rolloutMetrics } from "../../../steps/metrics/rollout_metrics.ts";
import { weightedSum } from "../../../steps/rewards/weighted_sum.ts";
import { assertClose, goldenCases } from "../advantages/golden_cases.ts";
import { runCompute } from "../contexts/run_compute.ts";

/** Two groups of three; the last completion of the first was dropped by its reward. */
const COLUMNS = {
  train_step: [1, 1, 1, 1, 1, 1],
  prompt_id: [4, 4, 4, 9, 9, 9],
  sample: [0, 1, 2, 0, 1, 2],
  text: ["a", "b", "a", "c", "c", "c"],
  token_ids: [[1, 9], [2, 9], [1, 9], [3, 3, 3, 9], [3, 3, 3, 9], [3, 3, 3, 3]],
  completion_mask: [[1, 1], [1, 1], [1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]],
  completion_tokens: [2, 2, 2, 4, 4, 4],
  truncated: [false, false, false, false, false, true],
  reward: [1, 0, null, 0.5, 0.5, 0.5],
  "reward.format": [1, 1, null, 0, 0, 0],
  correct: [true, false, null, false, false, false],
  advantage: [1, -1, 0, 0, 0, 0],
};

Deno.test("rolloutMetrics() agrees with numbers by hand", () => {
  const metrics = rolloutMetrics(tableOf("completions", COLUMNS));
  // rewards that exist: 1 0 .5 .5 .5, mean .5, squares .25 .25 0 0 0 over n - 1 = 4
  assert.equal(metrics.reward, 0.5);
  assert.equal(metrics.reward_std, Math.sqrt(0.125));
  assert.equal(metrics.group_reward_std, Math.sqrt(0.5) / 2);
  assert.equal(metrics.zero_spread_fraction, 0.5);
  assert.equal(metrics.accuracy, 1 / 5);
  assert.equal(metrics.format, 2 / 5);
  assert.equal(metrics.advantage_mean, 0);
  assert.equal(metrics.advantage_std, Math.sqrt(2 / 5));
  assert.equal(metrics.completion_length, 3);
  assert.deepEqual([metrics.completion_length_min, metrics.completion_length_max], [2, 4]);
  assert.equal(metrics.terminated_length, 14 / 5);
  assert.equal(metrics.truncated_fraction, 1 / 6);
  // token lists: two of three different in the first group, and two of three in the second
  assert.equal(metrics.unique_fraction, 2 / 3);
  assert.equal(metrics.loss_tokens, 14);
});

Deno.test("rolloutMetrics() says null, not 0, of what nobody measured", () => {
  const { reward: _reward, correct: _correct, "reward.format": _format, ...rest } = COLUMNS;
  const metrics = rolloutMetrics(tableOf("completions", { ...rest, truncated: Array(6).fill(true) }));
  for (
    const name of [
      "reward",
      "reward_std",
      "group_reward_std",
      "zero_spread_fraction",
      "accuracy",
      "format",
      "terminated_length",
    ] as const
  ) assert.equal(metrics[name], null, name);
  assert.equal(metrics.truncated_fraction, 1);
});

Deno.test("zero_spread_fraction and reward_std are TRL's in the metrics and in compute_advantages, where rewards are missing too", async () => {
  const golden = [
    ...await goldenCases("trl_rloo.json", "advantages/"),
    ...(await goldenCases("trl_advantages.json", "sum_then_normalize/")).filter(({ params }) =>
      params["scale_rewards"] !== "batch"
    ),
  ];
  let missing = 0;
  for (const { name, params, inputs, outputs } of golden) {
    const columns = (inputs.rewards as unknown[]).map((row) => Array.isArray(row) ? row : [row]) as (number | null)[][];
    const weights = params["reward_weights"] as number[] ?? columns[0]!.map(() => 1);
    const reward = columns.map((row) => weightedSum(row, weights)), size = params["num_generations"] as number;
    if (reward.includes(null)) missing++;
    const completions = table({
      prompt_id: reward.map((_, i) => Math.floor(i / size)),
      sample: reward.map((_, i) => i % size),
      reward,
      advantage: reward.map(() => 0),
      token_ids: reward.map((_, i) => [i]),
      completion_mask: reward.map(() => [1]),
      completion_tokens: reward.map(() => 1),
      truncated: reward.map(() => false),
    });
    const metrics = rolloutMetrics(completions), want = outputs.metrics as Record<string, number>;
    assert.equal(metrics.zero_spread_fraction, want["frac_reward_zero_std"], name);
    assertClose([metrics.reward_std!], [want["reward_std"]!], name);
    const { outputs: computed } = await runCompute({}, completions);
    assert.equal(computed.zero_spread_fraction, want["frac_reward_zero_std"], name);
  }
  assert(missing >= 8, `${missing} cases with missing rewards`);
});
