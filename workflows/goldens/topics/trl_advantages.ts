/** TRL's advantages of GRPO against those of `compute_advantages`. @module */
import { moments, zeroSpreadFraction } from "../../../data/statistics/mod.ts";
import { ADVANTAGES } from "../../../steps/advantages/mod.ts";
import { defineTopic } from "../topic.ts";

interface Params {
  readonly num_generations: number;
  readonly scale_rewards: "group" | "batch" | "none";
  readonly multi_objective_aggregation: string;
}
interface Inputs {
  readonly rewards: readonly (number | null)[];
}

export const trlAdvantages = defineTopic<Params, Inputs>({
  about: "TRL 1.16 grpo_trainer.py: rewards of a batch to advantages (steps/advantages/grpo.ts)",
  takes: {
    trl_advantages: ({ params }) => (params as unknown as Params).multi_objective_aggregation === "sum_then_normalize",
  },
  evaluate({ params, inputs: { rewards } }) {
    const { num_generations: size, scale_rewards: scale } = params;
    const groups = rewards.map((_, row) => Math.floor(row / size));
    const advantages = ADVANTAGES.grpo.advantages({ scale, eps: 1e-4 }, {
      rewards,
      groups,
      lengths: rewards.map(() => 1),
    });
    const { mean, std } = moments(rewards);
    const frac_reward_zero_std = zeroSpreadFraction(rewards, groups);
    return {
      advantages,
      metrics: {
        "rewards/f0/mean": mean,
        "rewards/f0/std": std,
        "reward": mean,
        "reward_std": std,
        frac_reward_zero_std,
      },
    };
  },
});
