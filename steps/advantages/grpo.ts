/** The advantage of GRPO: how much better than its group. @module */
import { z } from "zod";
import { groupMoments, moments } from "../../data/statistics/mod.ts";
import { defineAdvantage } from "./advantage.ts";

const params = z.strictObject({
  scale: z.enum(["group", "batch", "none"]).default("group").describe(
    "grpo: divide by the standard deviation of the group, of the whole batch, or not at all (Dr. GRPO)",
  ),
  eps: z.number().min(0).default(1e-4).describe(
    "grpo, rloo with normalize: added to the standard deviation (TRL 1e-4, verl 1e-6)",
  ),
});

/**
 * (r - mean of the group) / (std + eps), std with Bessel's correction of the group or of the batch
 * (GRPO, arXiv 2402.03300 eq. 3.1.2; TRL grpo_trainer.py; verl core_algos.py compute_grpo_outcome_advantage).
 *
 * A group whose rewards are all equal gives exactly 0, and so does a group with one scored completion.
 */
export const grpo = defineAdvantage({
  about: "Reward minus the group's mean, over a standard deviation",
  params,
  minGroupSize: () => 2,
  advantages({ scale, eps }, { rewards, groups }) {
    const perGroup = groupMoments(rewards, groups);
    const batch = moments(rewards);
    return rewards.map((reward, row) => {
      const group = perGroup[groups[row]!]!;
      if (reward === null || group.count < 2) return 0;
      const divisor = { group: group.std + eps, batch: batch.std + eps, none: 1 }[scale];
      // Equal rewards: 0, also with eps 0, where the quotient would be 0/0.
      return group.spread === 0 ? 0 : (reward - group.mean) / divisor;
    });
  },
});
