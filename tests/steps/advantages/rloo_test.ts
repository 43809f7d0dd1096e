import assert from "node:assert/strict";
import { table } from "arquero";
import { rloo } from "../../../steps/advantages/rloo.ts";
import { assertClose, consecutive, FLOAT32, goldenCases, hasNoGroupOfOne, perCompletion } from "./golden_cases.ts";
import { runCompute } from "../contexts/run_compute.ts";

Deno.test("rloo.advantages() agrees with verl", async () => {
  for (const golden of (await goldenCases("verl_advantages.json", "rloo")).filter(hasNoGroupOfOne)) {
    const { rows, advantages, ...batch } = perCompletion(golden);
    const actual = rloo.advantages({ normalize: false, eps: 1e-4, group_of_one: "refuse" }, batch);
    assertClose(rows.map((row) => actual[row]!), rows.map((row) => advantages[row]!), golden.name);
  }
});

Deno.test("compute_advantages with rloo agrees with TRL: clipped rewards, KL in the reward, whitening", async () => {
  for (const { name, params, inputs, outputs } of await goldenCases("trl_rloo.json", "advantages")) {
    const completions = table({
      prompt_id: consecutive(inputs.rewards.length, params.num_generations as number),
      sample: inputs.rewards.map((_: unknown, i: number) => i % (params.num_generations as number)),
      reward: (inputs.rewards as unknown[]).map((row) => Array.isArray(row) ? row[0] : row),
      completion_tokens: inputs.rewards.map(() => 1),
      completion_mask: inputs.completion_mask,
      old_logprobs: inputs.old_logprobs,
      ref_logprobs: inputs.ref_logprobs,
    });
    const { advantages } = await runCompute({
      estimator: "rloo",
      normalize: params.normalize_advantages ?? false,
      kl_coef: params.beta,
      reward_clip: params.reward_clip_range ?? undefined,
    }, completions);
    assertClose(advantages, outputs.advantages, name, FLOAT32);
  }
});

Deno.test("rloo.advantages() of [1, 0, 0] is 1, -0.5, -0.5", () => {
  const batch = { rewards: [1, 0, 0], groups: [0, 0, 0], lengths: [] };
  assertClose(rloo.advantages({ normalize: false, eps: 0, group_of_one: "refuse" }, batch), [1, -0.5, -0.5], "hand");
  assert.equal(rloo.minGroupSize({ normalize: false, eps: 0, group_of_one: "refuse" }), 2);
});

Deno.test("rloo.advantages() divides by the deviation plus the eps that is given, and gives 0 where all are equal", () => {
  const batch = { rewards: [1, 0], groups: [0, 0], lengths: [] };
  const want = 1 / (Math.SQRT2 + 0.5);
  assertClose(rloo.advantages({ normalize: true, eps: 0.5, group_of_one: "refuse" }, batch), [want, -want], "eps");
  const equal = { ...batch, rewards: [1, 1, null, 1], groups: [0, 0, 0, 0] };
  assert.deepEqual(rloo.advantages({ normalize: true, eps: 0, group_of_one: "refuse" }, equal), [0, 0, 0, 0]);
});

Deno.test("rloo.advantages() whitens without the only scored completion of a group, which gets 0", () => {
  const batch = { rewards: [-2.956, 1, null, -2.151], groups: [0, 0, 1, 1], lengths: [] };
  const half = Math.SQRT1_2 * (3.956 / (3.956 + Math.SQRT1_2 * 1e-4)); // of two: ±d over std d·√2
  assertClose(
    rloo.advantages({ normalize: true, eps: 1e-4, group_of_one: "refuse" }, batch),
    [-half, half, 0, 0],
    "trl",
  );
});
