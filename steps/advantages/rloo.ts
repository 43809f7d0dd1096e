/** The advantage of RLOO: how much better than the others of the group. @module */
import { z } from "zod";
import { moments } from "../../data/statistics/mod.ts";
import { defineAdvantage } from "./advantage.ts";
import { comparedInGroups, GROUP_OF_ONE, leastGroup } from "./group_of_one.ts";
import { grpo } from "./grpo.ts";

const params = z.strictObject({
  normalize: z.boolean().default(false).describe(
    "rloo: whiten the advantages over the batch, (A - mean) / (std + eps)",
  ),
  eps: grpo.params.shape.eps,
  group_of_one: GROUP_OF_ONE,
});

/**
 * r_i - mean of the other rewards of the group = n / (n - 1) (r_i - mean), n = scored completions
 * (RLOO, arXiv 2402.14740 eq. 3; TRL rloo_trainer.py; verl core_algos.py compute_rloo_outcome_advantage).
 */
export const rloo = defineAdvantage({
  about: "Reward minus the mean of the other completions of the group",
  method: {
    formula:
      "A = r - mean of the group's other r = n/(n-1) (r - mean_g(r)); with normalize (A - mean A) / (std A + eps)",
    source: "RLOO, arXiv 2402.14740 eq. 3; TRL rloo_trainer.py; verl core_algos.py compute_rloo_outcome_advantage",
    names: {
      trl: "RLOOTrainer, normalize_advantages (default false)",
      verl: "algorithm.adv_estimator=rloo|rloo_vectorized (default gae)",
      openrlhf: "algo.advantage.estimator=rloo (default gae)",
    },
  },
  params,
  minGroupSize: leastGroup,
  comparesGroups: () => true,
  smallGroups: true,
  advantages({ normalize, eps, group_of_one }, batch) {
    const left = comparedInGroups(
      batch,
      group_of_one,
      (reward, { count, mean }) => (reward - mean) * (count / (count - 1)),
    );
    if (!normalize) return left;
    const scored = (row: number) => batch.rewards[row] !== null;
    const { mean, std, spread } = moments(left.map((value, row) => scored(row) ? value : null));
    return left.map((value, row) => !scored(row) || spread === 0 ? 0 : (value - mean) / (std + eps));
  },
});
