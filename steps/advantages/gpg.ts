/** The advantage of GPG: the reward beside its group's mean, louder where few rewards are not zero. @module */
import { z } from "zod";
import { defineAdvantage } from "./advantage.ts";
import { comparedInGroups, GROUP_OF_ONE, leastGroup } from "./group_of_one.ts";

const params = z.strictObject({
  f_norm: z.number().positive().default(1).describe("gpg: divides the advantages"),
  group_of_one: GROUP_OF_ONE,
});

/**
 * completions / completions with a reward other than 0, times (r - mean of the group) / f_norm
 * (GPG, arXiv 2504.02546 eq. 6; verl core_algos.py compute_gpg_outcome_advantage).
 */
export const gpg = defineAdvantage({
  about: "Reward minus the group's mean, times the batch over its rewards that are not 0",
  method: {
    formula: "A = (B / #(r != 0)) (r - mean_g(r)) / f_norm",
    source: "GPG, arXiv 2504.02546 eq. 6; verl core_algos.py compute_gpg_outcome_advantage",
    names: { verl: "algorithm.adv_estimator=gpg (f_norm 1; default estimator gae)" },
  },
  params,
  minGroupSize: leastGroup,
  comparesGroups: () => true,
  advantages({ f_norm, group_of_one }, batch) {
    const scored = batch.rewards.filter((reward) => reward !== null);
    const scale = scored.length / Math.max(1, scored.filter((reward) => reward !== 0).length);
    const centred = comparedInGroups(
      batch,
      group_of_one,
      (reward, { mean, spread }) => spread === 0 ? 0 : reward - mean,
    );
    return centred.map((value) => scale * value / f_norm);
  },
});
