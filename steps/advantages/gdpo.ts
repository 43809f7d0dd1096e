/** The advantage of GDPO: each reward normalised by itself, then added up. @module */
import { z } from "zod";
import { moments, whitenOverTokens } from "../../data/statistics/mod.ts";
import { withoutEffect } from "../options/without_effect.ts";
import { type AdvantageBatch, defineAdvantage } from "./advantage.ts";
import { comparedInGroups, GROUP_OF_ONE, leastGroup } from "./group_of_one.ts";
import { grpo } from "./grpo.ts";
import { grpoPassk } from "./grpo_passk.ts";

const params = z.strictObject({
  reward_weights: z.record(z.string(), z.number()).default({}).describe(
    "gdpo: weight of a reward by its name, 1 where it is not named; those of score_rewards weigh their sum, not this",
  ),
  divide_by_std: grpoPassk.params.shape.divide_by_std,
  eps: grpo.params.shape.eps,
  finish: z.enum(["batch", "tokens", "none"]).default("batch").describe(
    "gdpo: normalise the sum over the batch, (x - mean) / (std + eps) (TRL), whiten it over the batch's tokens (verl), or not",
  ),
  group_of_one: GROUP_OF_ONE,
});

/**
 * x = sum_k w_k (r_k - mean_g(r_k)) / (std_g(r_k) + eps), normalised once more over the batch (GDPO, arXiv 2601.05242;
 * TRL grpo_trainer.py normalize_then_sum; verl core_algos.py compute_gdpo_outcome_advantage). A reward that is missing,
 * or the only one of its group, adds nothing. Without rewards by name the completion's reward is the only one.
 */
export const gdpo = defineAdvantage({
  about: "Sum of the rewards, each normalised within its group, normalised over the batch",
  method: {
    formula:
      "x = sum_k w_k (r_k - mean_g(r_k)) / (std_g(r_k) + eps); A = (x - mean x) / (std x + eps), or x whitened over tokens",
    source:
      "GDPO, arXiv 2601.05242; TRL grpo_trainer.py normalize_then_sum; verl core_algos.py compute_gdpo_outcome_advantage",
    names: {
      trl: "multi_objective_aggregation=normalize_then_sum (default sum_then_normalize)",
      verl: "algorithm.adv_estimator=gdpo, gdpo_reward_keys, gdpo_reward_weights (default estimator gae)",
    },
  },
  params,
  problems: ({ divide_by_std, finish }, said) =>
    divide_by_std || finish === "batch"
      ? []
      : withoutEffect(said, params.shape, ["eps"], `divide_by_std is false and finish ${finish}, want true or batch`),
  minGroupSize: leastGroup,
  comparesGroups: () => true,
  sumsToZero: ({ finish }) => finish !== "tokens",
  followsRewards: () => false,
  needs: ["components"],
  advantages(given, batch) {
    const sums = normalizedSums(given, batch);
    const scored = sums.map((sum, row) => batch.rewards[row] === null ? null : sum);
    if (given.finish === "none") return scored.map((sum) => sum ?? 0);
    if (given.finish === "tokens") return whitenOverTokens(scored, batch.lengths);
    const { mean, std, spread } = moments(scored);
    return scored.map((sum) => sum === null || spread === 0 ? 0 : (sum - mean) / (std + given.eps));
  },
});

function normalizedSums(
  { reward_weights, divide_by_std, eps, group_of_one, finish }: z.output<typeof params>,
  { rewards, groups, components }: AdvantageBatch,
): number[] {
  const names = Object.keys(components ?? {}), sums = rewards.map(() => 0);
  for (const [name, values] of names.length > 0 ? Object.entries(components!) : [["reward", rewards] as const]) {
    const own = comparedInGroups(
      { rewards: values, groups },
      group_of_one,
      (value, { mean, std, spread }) => {
        const normal = spread === 0 ? 0 : (value - mean) / (divide_by_std ? std + eps : 1);
        // Beside an infinite reward, which the step refuses: TRL adds with nansum.
        return Number.isNaN(normal) && finish === "batch" ? 0 : normal;
      },
      (value) => divide_by_std ? value / (1 + eps) : value,
    );
    own.forEach((value, row) => sums[row]! += (reward_weights[name] ?? 1) * value);
  }
  return sums;
}
