/** Options of reward, loss, optimizer and machine, and their names in other systems. @module */
import type { Option } from "./option.ts";

const A = "actor_rollout_ref.actor.";

export const UPDATE_OPTIONS = {
  // ***** reward *****
  reward_functions: {
    about: "what scores a completion",
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
      openrlhf: ["actor.eps_clip_low_high"],
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
  // ***** optimizer *****
  learning_rate: {
    about: "largest learning rate of the schedule",
    names: {
      trl: ["learning_rate"],
      verl: [`${A}optim.lr`, "optim.lr"],
      openrlhf: ["actor.adam.lr", "adam.lr", "actor_learning_rate", "learning_rate"],
      "deepspeed-chat": ["actor_learning_rate"],
      mlx: ["learning_rate"],
    },
  },
  critic_learning_rate: {
    about: "learning rate of the critic",
    names: { verl: ["critic.optim.lr"], openrlhf: ["critic.adam.lr", "critic_learning_rate"] },
  },
  value_clip: {
    about: "how far a value may move in the updates on one rollout",
    names: { verl: ["critic.cliprange_value"], openrlhf: ["critic.value_clip", "value_clip"] },
  },
  critic_updates_per_rollout: {
    about: "passes of the critic over one rollout",
    unit: "passes",
    names: { verl: ["critic.ppo_epochs"] },
  },
  critic_max_grad_norm: {
    about: "clip the critic's gradient to this norm",
    names: {
      verl: ["critic.grad_clip", "critic.optim.clip_grad"],
      openrlhf: ["critic.max_norm"],
    },
  },
  critic_model: {
    about: "what the critic starts from",
    names: { verl: ["critic.model.path"], openrlhf: ["critic.model_name_or_path", "critic_pretrain"] },
  },
  center_rewards: {
    about: "weight of the squared sum of a pair's scores in a reward model's loss",
    names: { trl: ["center_rewards_coefficient"] },
  },
  schedule: {
    about: "shape of the learning rate over time",
    names: {
      trl: ["lr_scheduler_type"],
      verl: [`${A}optim.lr_scheduler_type`],
      openrlhf: ["actor.lr_scheduler", "lr_scheduler"],
    },
  },
  warmup_steps: {
    about: "warm-up",
    unit: "updates",
    names: { trl: ["warmup_steps"], verl: [`${A}optim.lr_warmup_steps`] },
  },
  warmup_fraction: {
    about: "warm-up as a share of all updates",
    unit: "fraction of updates",
    names: {
      trl: ["warmup_ratio"],
      verl: [`${A}optim.lr_warmup_steps_ratio`],
      openrlhf: ["actor.lr_warmup_ratio", "lr_warmup_ratio"],
    },
  },
  weight_decay: {
    about: "decoupled weight decay",
    names: { trl: ["weight_decay"], verl: [`${A}optim.weight_decay`], openrlhf: ["actor.adam.weight_decay", "l2"] },
  },
  max_grad_norm: {
    about: "clip the gradient to this norm",
    names: {
      trl: ["max_grad_norm"],
      verl: [`${A}grad_clip`, `${A}optim.clip_grad`, "optim.clip_grad"],
      openrlhf: ["actor.max_norm", "max_norm"],
    },
  },
  optimizer: {
    about: "the optimizer",
    names: { trl: ["optim"], verl: [`${A}optim.optimizer`], openrlhf: ["optim"] },
  },
  device_batch_size: {
    about: "sequences per device and micro-batch",
    unit: "completions",
    names: {
      trl: ["per_device_train_batch_size"],
      verl: [`${A}ppo_micro_batch_size_per_gpu`, `${A}ppo_micro_batch_size`, "data.micro_batch_size_per_gpu"],
      openrlhf: ["train.micro_batch_size", "micro_train_batch_size"],
      torchforge: ["local_batch_size"],
    },
  },
  gradient_accumulation: {
    about: "micro-batches per update",
    unit: "micro-batches",
    names: { trl: ["gradient_accumulation_steps"] },
  },
  batch_size: {
    about: "sequences or prompts per update, all devices together",
    names: {
      trl: ["generation_batch_size"],
      "visual-rft": [],
      verl: ["data.train_batch_size"],
      openrlhf: ["train.batch_size", "train_batch_size"],
    },
  },
  minibatch_size: { about: "slice of a rollout per update", names: { verl: [`${A}ppo_mini_batch_size`] } },
  rollout_batch_size: {
    about: "prompts per rollout",
    unit: "prompts",
    names: { verl: ["data.gen_batch_size"], openrlhf: ["rollout.batch_size", "rollout_batch_size"] },
  },
  steps_per_generation: {
    about: "micro-batches per rollout",
    unit: "micro-batches",
    names: { trl: ["steps_per_generation"] },
  },
  train_steps: {
    about: "how many updates",
    unit: "updates",
    names: { trl: ["max_steps"], verl: ["trainer.total_training_steps"] },
  },
  epochs: {
    about: "passes over the data",
    unit: "passes",
    names: {
      trl: ["num_train_epochs"],
      verl: ["trainer.total_epochs"],
      openrlhf: ["train.num_episodes", "num_episodes"],
      "ms-swift": ["num_train_epochs"],
    },
  },
  // ***** system *****
  devices: {
    about: "processes on one machine",
    names: {
      trl: ["nproc_per_node", "num_processes"],
      verl: ["trainer.n_gpus_per_node"],
      openrlhf: ["actor.num_gpus_per_node", "actor_num_gpus_per_node"],
    },
  },
  nodes: {
    about: "machines",
    names: { trl: ["nnodes"], verl: ["trainer.nnodes"], openrlhf: ["actor.num_nodes", "actor_num_nodes"] },
  },
  seed: { about: "seed of all randomness", names: { trl: ["seed"], openrlhf: ["train.seed"] } },
  logging_steps: {
    about: "updates per printed record",
    unit: "updates",
    names: { trl: ["logging_steps"], openrlhf: ["logger.logging_steps"] },
  },
  logging_nan_filter: {
    about: "print 0 in place of a loss that is NaN",
    names: { trl: ["logging_nan_inf_filter"] },
  },
  pad_token: { about: "id of the padding token", names: { model: ["pad_token_id"], trl: ["pad_token"] } },
  eos_token: { about: "id of the end of sequence", names: { model: ["eos_token_id"], trl: ["eos_token"] } },
  vocabulary: { about: "size of the vocabulary", unit: "tokens", names: { model: ["vocab_size"] } },
  max_pixels: { about: "largest image", unit: "pixels", names: { "visual-rft": ["max_pixels"] } },
} as const satisfies Record<string, Option>;
