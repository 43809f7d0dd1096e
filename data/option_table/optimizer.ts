/** Options of optimizer, batch and machine, and their names in other systems. @module */
import type { Option } from "./option.ts";

const A = "actor_rollout_ref.actor.";

export const OPTIMIZER_OPTIONS = {
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
    here: ["update_critic.learning_rate"],
    names: { verl: ["critic.optim.lr"], openrlhf: ["critic.adam.lr", "critic_learning_rate"] },
  },
  value_clip: {
    about: "how far a value may move in the updates on one rollout",
    names: { verl: ["critic.cliprange_value"], openrlhf: ["critic.value_clip", "value_clip"] },
  },
  critic_updates_per_rollout: {
    about: "passes of the critic over one rollout",
    here: ["update_critic.updates_per_rollout"],
    unit: "passes",
    names: { verl: ["critic.ppo_epochs"] },
  },
  critic_max_grad_norm: {
    about: "clip the critic's gradient to this norm",
    here: ["update_critic.max_grad_norm"],
    names: {
      verl: ["critic.grad_clip", "critic.optim.clip_grad"],
      openrlhf: ["critic.max_norm"],
    },
  },
  critic_model: {
    about: "what the critic starts from",
    here: ["load_critic.model"],
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
    here: ["warmup_updates"],
    unit: "updates",
    names: { trl: ["warmup_steps"], verl: [`${A}optim.lr_warmup_steps`] },
  },
  warmup_fraction: {
    about: "warm-up as a share of all updates",
    here: ["warmup_updates"],
    instead: "a number of updates",
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
    here: ["batch_size", "sample_groups.prompts_per_step"],
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
    here: ["gradient_accumulation", "prompts_per_pass"],
    unit: "micro-batches",
    names: { trl: ["gradient_accumulation_steps"] },
  },
  batch_size: {
    about: "sequences or prompts per update, all devices together",
    here: ["batch_size", "sample_groups.prompts_per_step"],
    names: {
      trl: ["generation_batch_size"],
      "visual-rft": [],
      verl: ["data.train_batch_size"],
      openrlhf: ["train.batch_size", "train_batch_size"],
    },
  },
  minibatch_size: {
    about: "slice of a rollout per update",
    here: ["minibatches"],
    names: { verl: [`${A}ppo_mini_batch_size`] },
  },
  rollout_batch_size: {
    about: "prompts per rollout",
    here: ["sample_groups.prompts_per_step"],
    unit: "prompts",
    names: { verl: ["data.gen_batch_size"], openrlhf: ["rollout.batch_size", "rollout_batch_size"] },
  },
  steps_per_generation: {
    about: "micro-batches per rollout",
    here: ["apply_update.minibatches"],
    unit: "micro-batches",
    names: { trl: ["steps_per_generation"] },
  },
  train_steps: {
    about: "how many updates",
    here: ["max_updates"],
    instead: "rollouts are repeated by repeat: around their steps",
    unit: "updates",
    names: { trl: ["max_steps"], verl: ["trainer.total_training_steps"] },
  },
  epochs: {
    about: "passes over the data",
    here: ["epochs"],
    instead: "elsewhere updates are counted: max_updates, or repeat: around the steps of a rollout",
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
    here: [],
    instead: "a run is one process on one device",
    names: {
      trl: ["nproc_per_node", "num_processes"],
      verl: ["trainer.n_gpus_per_node"],
      openrlhf: ["actor.num_gpus_per_node", "actor_num_gpus_per_node"],
    },
  },
  nodes: {
    about: "machines",
    here: [],
    instead: "a run is one process on one device",
    names: { trl: ["nnodes"], verl: ["trainer.nnodes"], openrlhf: ["actor.num_nodes", "actor_num_nodes"] },
  },
  seed: {
    about: "seed of all randomness",
    here: [],
    instead: "it stands at the head of the workflow",
    names: { trl: ["seed"], openrlhf: ["train.seed"] },
  },
  save_steps: {
    about: "updates from one checkpoint to the next",
    here: [],
    instead: "checkpoint: { every: N } at the head of the workflow saves every N train steps",
    unit: "updates",
    names: { trl: ["save_steps"], verl: ["trainer.save_freq"], openrlhf: ["ckpt.save_steps"] },
  },
  save_total_limit: {
    about: "checkpoints that are kept",
    here: [],
    instead: "checkpoint: { keep: N } at the head of the workflow keeps the newest N",
    names: { trl: ["save_total_limit"] },
  },
  logging_steps: {
    about: "updates per printed record",
    here: [],
    instead: "every train step has its row in metrics",
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
