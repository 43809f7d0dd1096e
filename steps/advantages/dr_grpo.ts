/** The advantage of Dr. GRPO: the reward beside its group's mean, not divided. @module */
import { z } from "zod";
import { defineAdvantage } from "./advantage.ts";
import { comparedInGroups, GROUP_OF_ONE, leastGroup } from "./group_of_one.ts";

/** r - mean of the group (Dr. GRPO, arXiv 2503.20783 section 3.2; OpenRLHF experience_maker.py). */
export const drGrpo = defineAdvantage({
  about: "Reward minus the group's mean",
  method: {
    formula: "A = r - mean_g(r)",
    source: "Dr. GRPO, arXiv 2503.20783 section 3.2; OpenRLHF experience_maker.py",
    names: {
      trl: "scale_rewards=none (default group)",
      verl: "algorithm.adv_estimator=grpo with algorithm.norm_adv_by_std_in_grpo=false (default true)",
      openrlhf: "algo.advantage.estimator=dr_grpo (default gae)",
    },
  },
  params: z.strictObject({ group_of_one: GROUP_OF_ONE }),
  minGroupSize: leastGroup,
  comparesGroups: () => true,
  advantages: ({ group_of_one }, batch) =>
    comparedInGroups(batch, group_of_one, (reward, { mean, spread }) => spread === 0 ? 0 : reward - mean),
});
