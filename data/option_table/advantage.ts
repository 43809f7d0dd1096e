/** Options of rewards and advantages, and their names in other systems. @module */
import type { Option } from "./option.ts";

const A = "algo.advantage.";

export const ADVANTAGE_OPTIONS = {
  gamma: {
    about: "discount of a reward per token before it",
    names: { verl: ["algorithm.gamma"], openrlhf: [`${A}gamma`, "gamma"] },
  },
  lambda: {
    about: "weight of what lies further ahead in GAE",
    names: { verl: ["algorithm.lam"], openrlhf: [`${A}lambd`, "lambd"] },
  },
  normalize: { about: "whiten RLOO's advantages over the batch", names: { trl: ["normalize_advantages"] } },
  divide_by_std: {
    about: "whitening divides by the deviation",
    names: { openrlhf: [`${A}no_std_norm`, "no_advantage_std_norm"] },
    values: { openrlhf: { true: "false", false: "true" } },
  },
  reward_aggregation: {
    about: "add rewards up and normalise their sum, or normalise each and add up (gdpo)",
    names: { trl: ["multi_objective_aggregation"] },
  },
  reward_kl_estimator: { about: "estimator of the KL in the reward", names: { verl: ["algorithm.kl_penalty"] } },
  overlong_buffer: {
    about: "tokens before the cap over which a completion is punished",
    unit: "tokens",
    names: {
      verl: ["reward.reward_kwargs.overlong_buffer_cfg.len", "reward_model.overlong_buffer.len"],
      openrlhf: ["reward.overlong_buffer_len", "overlong_buffer_len"],
    },
  },
  overlong_weight: {
    about: "what a completion at the cap loses",
    names: {
      verl: ["reward.reward_kwargs.overlong_buffer_cfg.penalty_factor", "reward_model.overlong_buffer.penalty_factor"],
      openrlhf: ["reward.overlong_penalty_factor", "overlong_penalty_factor"],
    },
  },
  truncated_scale: {
    about: "what the reward of a truncated completion is multiplied by; below 0 it is the reward",
    names: { openrlhf: ["reward.stop_properly_penalty_coef", "stop_properly_penalty_coef"] },
  },
} as const satisfies Record<string, Option>;
