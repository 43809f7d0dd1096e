/** The advantage of RLOO: how much better than the others of the group. @module */
import { z } from "zod";
import { groupMoments, moments } from "../../data/statistics/mod.ts";
import { defineAdvantage } from "./advantage.ts";
import { grpo } from "./grpo.ts";

const params = z.strictObject({
  normalize: z.boolean().default(false).describe(
    "rloo: whiten the advantages over the batch, (A - mean) / (std + eps)",
  ),
  eps: grpo.params.shape.eps,
});

/**
 * r_i - mean of the other rewards of the group = n / (n - 1) (r_i - mean), n = scored completions
 * (RLOO, arXiv 2402.14740 eq. 3; TRL rloo_trainer.py; verl core_algos.py compute_rloo_outcome_advantage).
 */
export const rloo = defineAdvantage({
  about: "Reward minus the mean of the other completions of the group",
  params,
  minGroupSize: () => 2,
  smallGroups: true,
  advantages({ normalize, eps }, { rewards, groups }) {
    const perGroup = groupMoments(rewards, groups);
    const left = rewards.map((reward, row) => {
      const { count, mean } = perGroup[groups[row]!]!;
      if (reward === null) return null;
      return count < 2 ? 0 : (reward - mean) * (count / (count - 1));
    });
    if (!normalize) return left.map((value) => value ?? 0);
    const { mean, std, spread } = moments(left);
    return left.map((value) => value === null || spread === 0 ? 0 : (value - mean) / (std + eps));
  },
});
