/** The advantage of REINFORCE++: how much better than the batch. @module */
import { z } from "zod";
import { whitenTokens } from "../../data/statistics/mod.ts";
import { withoutEffect } from "../options/without_effect.ts";
import { defineAdvantage } from "./advantage.ts";
import { comparedInGroups, GROUP_OF_ONE, leastGroup } from "./group_of_one.ts";
import { countedMasks, masked, onTokens, returnsToGo } from "./token_rewards.ts";

/** Options of a whitening over tokens. */
export const WHITENING = {
  variance: z.enum(["unbiased", "biased"]).default("unbiased").describe(
    "of the whitening over tokens: with Bessel's correction and 1e-8 added (verl), or biased and at least 1e-8 (OpenRLHF)",
  ),
  divide_by_std: z.boolean().default(true).describe(
    "false: the whitening takes off the mean only (OpenRLHF no_std_norm)",
  ),
} as const;

const SHAPE = z.strictObject(WHITENING);
type Whitening = z.output<typeof SHAPE>;

/** What changes nothing where the whitening only takes off the mean. */
export function whiteningProblems({ divide_by_std }: Whitening, said: Whitening): string[] {
  return divide_by_std ? [] : withoutEffect(said, WHITENING, ["variance"], "divide_by_std is false, want true");
}

export const GAMMA = z.number().min(0).max(1).default(1).describe("discount of a reward per token before it");

const params = z.strictObject({
  baseline: z.boolean().default(false).describe(
    "reinforce_plus_plus: subtract the group's mean before whitening over the batch (REINFORCE++-baseline)",
  ),
  gamma: GAMMA,
  gaps: z.enum(["count", "skip"]).default("count").describe(
    "reinforce_plus_plus with gamma below 1: tokens that do not count, such as a tool's output, discount what lies " +
      "behind them (OpenRLHF), or are skipped (verl)",
  ),
  ...WHITENING,
  group_of_one: GROUP_OF_ONE,
});

/**
 * What is to come after each token, of rewards or of rewards minus their group's mean, whitened over all completion
 * tokens of the batch (REINFORCE++, arXiv 2501.03262; verl core_algos.py
 * compute_reinforce_plus_plus[_baseline]_outcome_advantage; OpenRLHF experience_maker.py `reinforce`,
 * `reinforce_baseline`). Equal rewards give about 1e-5 in verl's form, not 0: the whitening's own rounding.
 */
export const reinforcePlusPlus = defineAdvantage({
  about: "Discounted return whitened over the batch's tokens, optionally after subtracting the group's mean",
  method: {
    formula:
      "G_t = r_t + gamma G_{t+1}; A = (G - mean(G)) / sqrt(var(G) + 1e-8) over all tokens; baseline: r - mean_g(r) first",
    source:
      "REINFORCE++, arXiv 2501.03262; verl core_algos.py compute_reinforce_plus_plus_outcome_advantage; OpenRLHF experience_maker.py",
    names: {
      verl:
        "algorithm.adv_estimator=reinforce_plus_plus|reinforce_plus_plus_baseline (default gae), algorithm.gamma (1)",
      openrlhf: "algo.advantage.estimator=reinforce|reinforce_baseline (default gae; variance biased, at least 1e-8)",
    },
  },
  params,
  problems: (given, said) => [
    ...(given.baseline ? [] : withoutEffect(said, params.shape, ["group_of_one"], "baseline is false, want true")),
    ...(given.gamma < 1 ? [] : withoutEffect(said, params.shape, ["gaps"], "gamma is 1, want it below 1")),
    ...whiteningProblems(given, said),
  ],
  minGroupSize: (given) => given.baseline ? leastGroup(given) : 1,
  comparesGroups: ({ baseline }) => baseline,
  sumsToZero: () => false,
  followsRewards: ({ baseline, gamma }) => baseline && gamma === 1,
  perToken: true,
  advantages({ baseline, gamma, gaps, group_of_one, variance, divide_by_std }, batch) {
    const masks = countedMasks(batch);
    const shaped = baseline
      ? comparedInGroups(batch, group_of_one, (reward, { mean, spread }) => spread === 0 ? 0 : reward - mean)
      : batch.rewards;
    const returns = returnsToGo(onTokens(shaped, batch, masks), masks, gamma, gaps);
    if (batch.rewards.every((reward) => reward === null)) return { shaped, tokens: returns, returns };
    const white = whitenTokens(returns, masks, { variance, divide: divide_by_std });
    return { shaped, tokens: masked(white, masks), returns };
  },
});
