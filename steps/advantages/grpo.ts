/** The advantage of GRPO: how much better than its group. @module */
import { z } from "zod";
import { type Moments, moments } from "../../data/statistics/mod.ts";
import { withoutEffect } from "../options/without_effect.ts";
import { defineAdvantage } from "./advantage.ts";
import { comparedInGroups, GROUP_OF_ONE, leastGroup } from "./group_of_one.ts";

const params = z.strictObject({
  scale: z.enum(["group", "batch", "none"]).default("group").describe(
    "grpo: divide by the standard deviation of the group, of the whole batch, or not at all (Dr. GRPO)",
  ),
  eps: z.number().min(0).default(1e-4).describe(
    "grpo, gdpo, grpo_passk, rloo with normalize: added to the standard deviation (TRL 1e-4, verl 1e-6, OpenRLHF 1e-9)",
  ),
  group_of_one: GROUP_OF_ONE,
});

/**
 * (r - mean of the group) / (std + eps), std with Bessel's correction of the group or of the batch
 * (GRPO, arXiv 2402.03300 eq. 3.1.2; TRL grpo_trainer.py; verl core_algos.py compute_grpo_outcome_advantage).
 *
 * A group whose rewards are all equal gives exactly 0, and so does a group with one scored completion.
 */
export const grpo = defineAdvantage({
  about: "Reward minus the group's mean, over a standard deviation",
  method: {
    formula:
      "A = (r - mean_g(r)) / (std(r) + eps), std with Bessel's correction of the group or of the batch; or no divisor",
    source: "GRPO, arXiv 2402.03300 eq. 3.1.2; TRL grpo_trainer.py; verl core_algos.py compute_grpo_outcome_advantage",
    names: {
      trl: "scale_rewards=group|batch|none (default group, eps 1e-4)",
      verl: "algorithm.adv_estimator=grpo (eps 1e-6; default estimator gae)",
      openrlhf: "algo.advantage.estimator=group_norm (eps 1e-9; default estimator gae)",
      visual_rft: "always (eps 1e-4)",
    },
  },
  params,
  problems: ({ scale }, said) =>
    scale === "none" ? withoutEffect(said, params.shape, ["eps"], "scale is none, want group or batch") : [],
  minGroupSize: leastGroup,
  comparesGroups: () => true,
  advantages({ scale, eps, group_of_one }, batch) {
    const whole = moments(batch.rewards);
    const compare = (reward: number, group: Moments) => {
      const divisor = { group: group.std + eps, batch: whole.std + eps, none: 1 }[scale];
      // Equal rewards: 0, also with eps 0, where the quotient would be 0/0.
      return group.spread === 0 ? 0 : (reward - group.mean) / divisor;
    };
    // verl takes 0 and 1 for the mean and deviation of one.
    return comparedInGroups(batch, group_of_one, compare, (reward) => scale === "none" ? reward : reward / (1 + eps));
  },
});
