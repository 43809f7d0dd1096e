/** The advantage of OPO: how much better than its group's mean token. @module */
import { z } from "zod";
import { defineAdvantage } from "./advantage.ts";
import { comparedInGroups, GROUP_OF_ONE, leastGroup } from "./group_of_one.ts";

/**
 * r - sum of length times reward over sum of lengths, of the group (OPO, arXiv 2505.23585; verl core_algos.py
 * compute_opo_outcome_advantage). A group without one counted token has no such mean: NaN, which the step refuses.
 */
export const opo = defineAdvantage({
  about: "Reward minus the group's mean weighted by length",
  method: {
    formula: "A = r - sum_g(length r) / sum_g(length)",
    source: "OPO, arXiv 2505.23585; verl core_algos.py compute_opo_outcome_advantage",
    names: { verl: "algorithm.adv_estimator=opo (default gae)" },
  },
  params: z.strictObject({ group_of_one: GROUP_OF_ONE }),
  minGroupSize: leastGroup,
  comparesGroups: () => true,
  sumsToZero: () => false,
  advantages({ group_of_one }, batch) {
    const sums: number[] = [], tokens: number[] = [];
    batch.rewards.forEach((reward, row) => {
      const group = batch.groups[row]!, length = batch.lengths[row]!;
      if (reward === null) return;
      sums[group] = (sums[group] ?? 0) + reward * length;
      tokens[group] = (tokens[group] ?? 0) + length;
    });
    return comparedInGroups(batch, group_of_one, (reward, { spread, mean }, row) => {
      const group = batch.groups[row]!;
      // Equal rewards: their weighted mean is what they are, not its rounding.
      return reward - (spread === 0 && tokens[group]! > 0 ? mean : sums[group]! / tokens[group]!);
    });
  },
});
