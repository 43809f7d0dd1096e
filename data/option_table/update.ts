/** Options of reward and loss, and their names in other systems. @module */
import type { Option } from "./option.ts";

const A = "actor_rollout_ref.actor.";

export const UPDATE_OPTIONS = {
  // ***** reward *****
  reward_functions: {
    about: "what scores a completion",
    here: ["score_rewards.rewards"],
    names: {
      trl: ["reward_funcs", "reward_functions"],
      verl: ["reward.custom_reward_function.path", "custom_reward_function.path"],
      openrlhf: ["reward.remote_url", "remote_rm_url", "agent_func_path", "train.agent_func_path"],
      "ms-swift": ["reward_funcs"],
      "visual-rft": ["reward_funcs"],
    },
  },
  reward_weights: {
    about: "weight of each reward function",
    names: { trl: ["reward_weights"], verl: ["algorithm.gdpo_reward_weights"] },
  },
  reward_clip: {
    about: "largest absolute reward",
    names: { trl: ["reward_clip_range"], openrlhf: ["reward.clip_range", "reward_clip_range"] },
    values: { openrlhf: { "-1,1": "-1 1" }, "*": { "-1,1": null } }, // TRL has it for RLOO only
  },
  scale_rewards: {
    about: "divide advantages by a standard deviation: group, batch or none",
    names: { trl: ["scale_rewards"], verl: ["algorithm.norm_adv_by_std_in_grpo"] },
  },
  // ***** loss *****
  algorithm: {
    about: "what kind of training",
    names: {
      trl: ["trainer"],
      verl: ["algorithm.adv_estimator"],
      openrlhf: ["algo.advantage.estimator", "advantage_estimator"],
      "ms-swift": ["rlhf_type"],
      llamafactory: ["stage"],
    },
  },
  loss: {
    about: "objective and aggregation",
    names: {
      trl: ["loss_type"],
      verl: [`${A}policy_loss.loss_mode`],
      openrlhf: ["actor.policy_loss_type", "policy_loss_type"],
      llamafactory: ["pref_loss"],
      "visual-rft": [],
    },
    values: { trl: {}, "*": { bnpo: null } },
  },
  kto_vanilla_loss: { about: "KTO without its KL term detached", names: { openrlhf: ["vanilla_loss"] } },
  aggregation: {
    about: "how tokens become one number",
    names: { verl: [`${A}loss_agg_mode`] },
    values: { verl: { token_mean: "token-mean" } },
  },
  kl_coef: {
    about: "weight of the KL to the reference policy",
    names: {
      trl: ["beta", "init_kl_coef"],
      verl: [`${A}kl_loss_coef`, "algorithm.kl_ctrl.kl_coef"],
      openrlhf: ["algo.kl.init_coef", "model.beta", "init_kl_coef"],
      llamafactory: ["pref_beta", "ppo_target"],
      torchforge: ["beta"],
      "nemo-rl": ["loss_fn.reference_policy_kl_penalty"],
    },
  },
  kl_in_loss: {
    about: "add the KL to the loss",
    names: { verl: [`${A}use_kl_loss`], openrlhf: ["algo.kl.use_loss", "use_kl_loss"] },
    values: { openrlhf: { true: null } }, // its weight is that of the reward without it
  },
  kl_in_reward: { about: "take the KL off the reward", names: { verl: ["algorithm.use_kl_in_reward"] } },
  kl_estimator: {
    about: "k1, k2 or k3",
    names: { verl: [`${A}kl_loss_type`], openrlhf: ["algo.kl.estimator", "kl_estimator"] },
  },
  clip_low: {
    about: "the ratio may fall to 1 minus this",
    names: {
      trl: ["epsilon", "cliprange"],
      "visual-rft": [],
      verl: [`${A}clip_ratio_low`, `${A}clip_ratio`],
      openrlhf: ["actor.eps_clip", "eps_clip"],
    },
  },
  clip_high: {
    about: "the ratio may rise to 1 plus this",
    names: {
      trl: ["epsilon_high"],
      verl: [`${A}clip_ratio_high`],
      openrlhf: ["actor.eps_clip_low_high", "eps_clip_low_high"],
      "visual-rft": [],
    },
    values: { openrlhf: { 0.28: "0.2 0.28" } },
  },
  entropy_coef: {
    about: "weight of the entropy bonus",
    names: {
      trl: ["entropy_coef"],
      verl: [`${A}entropy_coeff`],
      openrlhf: ["actor.entropy_coef", "entropy_loss_coef"],
    },
  },
  importance_level: {
    about: "ratio per token or per sequence",
    here: ["apply_update.ratio_level"],
    names: { trl: ["importance_sampling_level"] },
  },
  updates_per_rollout: {
    about: "passes over one rollout",
    unit: "passes",
    names: {
      trl: ["num_iterations", "num_ppo_epochs"],
      "visual-rft": [],
      verl: [`${A}ppo_epochs`],
      openrlhf: ["train.max_epochs", "max_epochs"],
      "deepspeed-chat": ["ppo_epochs"],
    },
  },
  desirable_weight: {
    about: "KTO weight of desirable examples",
    names: { trl: ["desirable_weight"], "visual-rft": [] },
  },
  undesirable_weight: {
    about: "KTO weight of undesirable examples",
    names: { trl: ["undesirable_weight"], "visual-rft": [] },
  },
  label_smoothing: {
    about: "DPO label smoothing",
    names: { trl: ["label_smoothing"], openrlhf: ["model.label_smoothing"] },
  },
  sync_reference: { about: "move the reference towards the policy", names: { trl: ["sync_ref_model"] } },
  reference: {
    about: "the reference policy's folder",
    names: { trl: ["ref_model"], openrlhf: ["ref.model_name_or_path", "ref_pretrain"], "ms-swift": ["ref_model"] },
    values: { "*": { copy: null } },
  },
  disable_dropout: { about: "switch dropout off", names: { trl: ["disable_dropout"] } },
} as const satisfies Record<string, Option>;
