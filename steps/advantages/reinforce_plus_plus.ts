/** The advantage of REINFORCE++: how much better than the batch. @module */
import { z } from "zod";
import { groupMoments, whitenOverTokens } from "../../data/statistics/mod.ts";
import { defineAdvantage } from "./advantage.ts";

const params = z.strictObject({
  baseline: z.boolean().default(false).describe(
    "reinforce_plus_plus: subtract the group's mean before whitening over the batch (REINFORCE++-baseline)",
  ),
});

/**
 * Rewards, or rewards minus their group's mean, whitened over all completion tokens of the batch
 * (REINFORCE++, arXiv 2501.03262; verl core_algos.py compute_reinforce_plus_plus[_baseline]_outcome_advantage with
 * gamma 1 and one reward per completion). Equal rewards give about 1e-5, not 0: the whitening's own rounding.
 */
export const reinforcePlusPlus = defineAdvantage({
  about: "Reward whitened over the batch's tokens, optionally after subtracting the group's mean",
  params,
  minGroupSize: ({ baseline }) => baseline ? 2 : 1,
  sumsToZero: () => false,
  advantages({ baseline }, { rewards, groups, lengths }) {
    if (!baseline) return whitenOverTokens(rewards, lengths);
    const perGroup = groupMoments(rewards, groups);
    const centred = rewards.map((reward, row) => reward === null ? null : reward - perGroup[groups[row]!]!.mean);
    return whitenOverTokens(centred, lengths);
  },
});
