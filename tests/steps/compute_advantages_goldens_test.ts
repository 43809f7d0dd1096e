import assert from "node:assert/strict";
import { table } from "arquero";
import { readCases } from "../gpu/safetensors.ts";
import { assertClose, consecutive, FLOAT32, type GoldenCase, perCompletion } from "./advantages/golden_cases.ts";
import { runCompute } from "./contexts/run_compute.ts";

const edge: GoldenCase[] = readCases("goldens/formulas/edge.json").filter(({ inputs }: GoldenCase) =>
  inputs.rewards || inputs.token_rewards
);
const trl = edge.filter(({ name }) => /^trl\/(?!.*(?:normalize_then_sum|empty_completion_ids))/.test(name));
const verl = edge.filter(({ name }) => /^verl\/.*\/(?:grpo|rloo|reinforce_plus_plus(?:_baseline)?)$/.test(name));

/** The step's parameters for a case of TRL's or verl's. */
function paramsOf({ name, params }: GoldenCase): Record<string, unknown> {
  if (name.startsWith("trl/rloo")) return { estimator: "rloo", normalize: params["normalize_advantages"] };
  if (name.startsWith("trl/")) return { estimator: "grpo", scale: params["scale_rewards"] };
  const baseline = params["estimator"] === "reinforce_plus_plus_baseline";
  return baseline
    ? { estimator: "reinforce_plus_plus", baseline }
    : { estimator: params["estimator"], ...(params["estimator"] === "grpo" ? { eps: 1e-6 } : {}) };
}

function completionsOf(rewards: readonly (number | null)[], groups: readonly number[], lengths: readonly number[]) {
  const seen = new Map<number, number>();
  const sample = groups.map((group) => {
    seen.set(group, (seen.get(group) ?? -1) + 1);
    return seen.get(group)!;
  });
  return table({ prompt_id: groups, sample, reward: rewards, completion_tokens: lengths });
}

Deno.test(`compute_advantages gives TRL's advantages at the edges in ${trl.length} cases, and refuses what is not finite`, async () => {
  assert(trl.length >= 25, `${trl.length}`);
  for (const golden of trl) {
    const { name, params, inputs, outputs } = golden;
    const rewards = inputs.rewards as (number | null)[], size = params["num_generations"] as number;
    const run = () =>
      runCompute(paramsOf(golden), completionsOf(rewards, consecutive(rewards.length, size), rewards.map(() => 1)));
    if (size === 1) await assert.rejects(run, /the group size is 1, want at least 2/, name);
    else if (rewards.some((reward) => reward !== null && !Number.isFinite(reward))) {
      await assert.rejects(run, /the reward of completion \d is (NaN|-?Infinity), want a finite number/, name);
    } else {
      const { advantages, outputs: computed } = await run();
      assertClose(advantages, outputs.advantages, name, FLOAT32);
      const scored = rewards.some((reward) => reward !== null);
      assert.equal(computed.zero_spread_fraction, scored ? outputs.metrics.frac_reward_zero_std : null, name);
    }
  }
});

Deno.test(`compute_advantages gives verl's advantages at the edges in ${verl.length} cases, and refuses what is not finite`, async () => {
  assert(verl.length >= 25, `${verl.length}`);
  for (const golden of verl) {
    const { rewards, groups, lengths, rows, advantages } = golden.outputs.error
      ? { ...perCompletion({ ...golden, outputs: { advantages: [] } }), advantages: [] }
      : perCompletion(golden);
    const given = paramsOf(golden), name = golden.name;
    const run = () => runCompute(given, completionsOf(rewards, groups, lengths));
    const single = new Set(groups).size === groups.length;
    if (rewards.some((reward) => !Number.isFinite(reward))) {
      // In a group of one too: which of the two is said does not matter.
      await assert.rejects(run, /want a finite number|the group size is 1/, name);
    } else if (single && !(given["estimator"] === "reinforce_plus_plus" && !given["baseline"])) {
      await assert.rejects(run, /the group size is 1, want at least 2/, name);
    } else if (golden.outputs.error) {
      await assert.rejects(run, /Cannot whiten advantages: 0 scored completion tokens, want at least 2/, name);
    } else {
      const computed = (await run()).advantages;
      assertClose(rows.map((row) => computed[row]!), rows.map((row) => advantages[row]!), name, FLOAT32);
    }
  }
});
