/** The advantage of RLOO: how much better than the others of the group. @module */
import { z } from "zod";
import { groupMoments, moments } from "../../data/statistics/mod.ts";
import { withoutEffect } from "../options/without_effect.ts";
import { type AdvantageBatch, defineAdvantage } from "./advantage.ts";
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
  problems: ({ normalize }, said) =>
    normalize ? [] : withoutEffect(said, params.shape, ["eps"], "normalize is false, want true"),
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
    const compared = comparable(batch);
    const { mean, std, spread } = moments(left.map((value, row) => compared[row] ? value : null));
    return left.map((value, row) => !compared[row] || spread === 0 ? 0 : (value - mean) / (std + eps));
  },
});

/** Which completions the whitening is over: scored ones, but not the only scored one of a group (TRL: NaN, then 0). */
function comparable({ rewards, groups }: AdvantageBatch): boolean[] {
  const perGroup = groupMoments(rewards, groups), sizes: number[] = [];
  for (const group of groups) sizes[group] = (sizes[group] ?? 0) + 1;
  return rewards.map((reward, row) => {
    const group = groups[row]!;
    return reward !== null && (perGroup[group]!.count > 1 || sizes[group] === 1);
  });
}
