/**
 * One option of ours and its name in every other system: what configurations are read with and remedies written in.
 * @module
 */

/** What one option means and how others call it; the first name of a system is the one to print in a remedy. */
export interface Option {
  readonly about: string;
  readonly unit: string;
  readonly names: Readonly<Record<string, readonly string[]>>;
}

const A = "actor_rollout_ref.actor.";
const R = "actor_rollout_ref.rollout.";
const M = "actor_rollout_ref.model.";

/** Options in the order of a workflow: model, data, sampling, reward, loss, optimizer, system. */
export const OPTIONS = {
  // ***** model *****
  model: {
    about: "the model folder or name",
    unit: "",
    names: {
      trl: ["model_name_or_path", "model"],
      verl: [`${M}path`],
      openrlhf: ["actor.model_name_or_path", "model.model_name_or_path", "pretrain"],
      "ms-swift": ["model", "model_id_or_path"],
      "visual-rft": ["model_name_or_path"],
      llamafactory: ["model_name_or_path"],
      unsloth: ["model_name", "model"],
    },
  },
  precision: {
    about: "number format of weights and activations",
    unit: "",
    names: {
      trl: ["dtype", "torch_dtype"],
      verl: [`${R}dtype`, `${A}fsdp_config.model_dtype`, `${A}fsdp_config.dtype`],
      openrlhf: ["ds.param_dtype"],
      "ms-swift": ["torch_dtype"],
      "visual-rft": ["torch_dtype"],
    },
  },
  bf16: { about: "bfloat16 mixed precision", unit: "", names: { trl: ["bf16"], openrlhf: ["bf16"] } },
  fp16: { about: "float16 mixed precision with a loss scaler", unit: "", names: { trl: ["fp16"], openrlhf: ["fp16"] } },
  attention: {
    about: "attention implementation",
    unit: "",
    names: {
      trl: ["attn_implementation"],
      openrlhf: ["ds.attn_implementation", "flash_attn"],
      "ms-swift": ["attn_impl"],
      "visual-rft": ["attn_implementation"],
      llamafactory: ["flash_attn"],
    },
  },
  gradient_checkpointing: {
    about: "recompute activations in the backward pass",
    unit: "",
    names: {
      trl: ["gradient_checkpointing"],
      verl: [`${M}enable_gradient_checkpointing`],
      openrlhf: [
        "actor.gradient_checkpointing_enable",
        "model.gradient_checkpointing_enable",
        "gradient_checkpointing",
      ],
      unsloth: ["use_gradient_checkpointing"],
    },
  },
  gradient_checkpointing_reentrant: {
    about: "use the re-entrant variant, which cuts gradients when no input needs one",
    unit: "",
    names: {
      trl: ["gradient_checkpointing_kwargs.use_reentrant", "use_reentrant"],
      openrlhf: ["actor.gradient_checkpointing_reentrant", "gradient_checkpointing_use_reentrant"],
      "ms-swift": ["gradient_checkpointing_kwargs.use_reentrant"],
    },
  },
  lora: {
    about: "train adapters instead of all weights",
    unit: "",
    names: { trl: ["use_peft"], "ms-swift": ["train_type", "sft_type"], llamafactory: ["finetuning_type"] },
  },
  lora_rank: {
    about: "rank of the adapters",
    unit: "",
    names: {
      trl: ["lora_r", "peft_config.r", "lora_config.r"],
      verl: [`${M}lora_rank`],
      openrlhf: ["ds.lora.rank", "lora_rank"],
      "ms-swift": ["lora_rank"],
      llamafactory: ["lora_rank"],
      unsloth: ["r"],
    },
  },
  lora_alpha: {
    about: "scale of the adapters times their rank",
    unit: "",
    names: {
      trl: ["lora_alpha", "peft_config.lora_alpha"],
      verl: [`${M}lora_alpha`],
      openrlhf: ["ds.lora.alpha", "lora_alpha"],
    },
  },
  lora_target_modules: {
    about: "which modules get an adapter",
    unit: "",
    names: {
      trl: ["lora_target_modules", "peft_config.target_modules", "lora_config.target_modules"],
      verl: [`${M}target_modules`],
      openrlhf: ["ds.lora.target_modules", "target_modules"],
      "ms-swift": ["target_modules", "lora_target_modules"],
      llamafactory: ["lora_target"],
    },
  },
  // ***** data *****
  dataset: {
    about: "the data to train on",
    unit: "",
    names: {
      trl: ["dataset_name", "dataset"],
      verl: ["data.train_files"],
      openrlhf: ["data.prompt_dataset", "data.dataset", "prompt_data", "dataset"],
      "ms-swift": ["dataset"],
      "visual-rft": ["dataset_name"],
      "vlm-r1": ["dataset_name", "data_file_paths"],
    },
  },
  max_length: {
    about: "tokens of prompt and completion together; the rest is cut",
    unit: "tokens",
    names: {
      trl: ["max_length", "max_seq_length"],
      verl: [`${R}max_model_len`],
      openrlhf: ["data.max_len", "max_len"],
      "ms-swift": ["max_length"],
      llamafactory: ["cutoff_len"],
    },
  },
  max_prompt_length: {
    about: "tokens of a prompt; the rest is cut",
    unit: "tokens",
    names: {
      trl: ["max_prompt_length"],
      verl: ["data.max_prompt_length", `${R}prompt_length`],
      openrlhf: ["prompt_max_len"],
      llamafactory: ["max_source_length"],
      torchforge: ["max_req_tokens"],
      "deepspeed-chat": ["max_prompt_seq_len"],
    },
  },
  // ***** sampling *****
  group_size: {
    about: "completions of one prompt",
    unit: "completions",
    names: {
      trl: ["num_generations"],
      verl: [`${R}n`],
      openrlhf: ["rollout.n_samples_per_prompt", "n_samples_per_prompt"],
      torchforge: ["group_size"],
      "nemo-rl": ["grpo.num_generations_per_prompt"],
    },
  },
  max_new_tokens: {
    about: "longest completion",
    unit: "tokens",
    names: {
      trl: ["max_completion_length", "max_new_tokens"],
      verl: ["data.max_response_length", `${R}response_length`],
      openrlhf: ["rollout.max_new_tokens", "generate_max_len"],
      llamafactory: ["max_new_tokens", "max_target_length"],
      "deepspeed-chat": ["max_answer_seq_len"],
      torchforge: ["max_res_tokens"],
    },
  },
  temperature: {
    about: "divides the logits when sampling",
    unit: "",
    names: {
      trl: ["temperature", "generation_kwargs.temperature"],
      verl: [`${R}temperature`],
      openrlhf: ["rollout.temperature", "temperature"],
    },
  },
  top_p: {
    about: "keep the most likely tokens up to this probability",
    unit: "probability",
    names: {
      trl: ["top_p", "generation_kwargs.top_p"],
      verl: [`${R}top_p`],
      openrlhf: ["rollout.top_p", "top_p"],
    },
  },
  top_k: {
    about: "keep this many most likely tokens; 0 or -1 = all",
    unit: "tokens",
    names: { trl: ["top_k", "generation_kwargs.top_k"], verl: [`${R}top_k`], openrlhf: ["rollout.top_k"] },
  },
  min_p: {
    about: "keep tokens above this share of the largest probability",
    unit: "probability",
    names: { trl: ["min_p", "generation_kwargs.min_p"] },
  },
  repetition_penalty: {
    about: "divides logits of tokens already used",
    unit: "",
    names: { trl: ["repetition_penalty", "generation_kwargs.repetition_penalty"] },
  },
  do_sample: {
    about: "sample; false = always the most likely token",
    unit: "",
    names: { trl: ["do_sample", "generation_kwargs.do_sample"], verl: [`${R}do_sample`] },
  },
  mask_truncated: {
    about: "leave truncated completions out of the loss",
    unit: "",
    names: { trl: ["mask_truncated_completions"], "ms-swift": ["overlong_filter"] },
  },
  use_vllm: {
    about: "sample with vLLM",
    unit: "",
    names: { trl: ["use_vllm"], verl: [`${R}name`], openrlhf: ["vllm.num_engines", "vllm_num_engines"] },
  },
  // ***** reward *****
  reward_functions: {
    about: "what scores a completion",
    unit: "",
    names: {
      trl: ["reward_funcs", "reward_functions"],
      verl: ["reward.custom_reward_function.path", "custom_reward_function.path"],
      openrlhf: ["reward.remote_url", "remote_rm_url", "agent_func_path", "train.agent_func_path"],
      "ms-swift": ["reward_funcs"],
      "visual-rft": ["reward_funcs"],
    },
  },
  reward_weights: { about: "weight of each reward function", unit: "", names: { trl: ["reward_weights"] } },
  reward_clip: {
    about: "largest absolute reward",
    unit: "",
    names: { trl: ["reward_clip_range"], openrlhf: ["reward.clip_range", "reward_clip_range"] },
  },
  scale_rewards: {
    about: "divide advantages by a standard deviation: group, batch or none",
    unit: "",
    names: { trl: ["scale_rewards"], verl: ["algorithm.norm_adv_by_std_in_grpo"] },
  },
  // ***** loss *****
  algorithm: {
    about: "what kind of training",
    unit: "",
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
    unit: "",
    names: {
      trl: ["loss_type"],
      verl: [`${A}policy_loss.loss_mode`],
      openrlhf: ["actor.policy_loss_type", "policy_loss_type"],
      llamafactory: ["pref_loss"],
    },
  },
  kto_vanilla_loss: { about: "KTO without its KL term detached", unit: "", names: { openrlhf: ["vanilla_loss"] } },
  aggregation: { about: "how tokens become one number", unit: "", names: { verl: [`${A}loss_agg_mode`] } },
  kl_coef: {
    about: "weight of the KL to the reference policy",
    unit: "",
    names: {
      trl: ["beta", "init_kl_coef"],
      verl: [`${A}kl_loss_coef`, "algorithm.kl_ctrl.kl_coef"],
      openrlhf: ["algo.kl.init_coef", "init_kl_coef", "model.beta"],
      llamafactory: ["pref_beta", "ppo_target"],
      torchforge: ["beta"],
      "nemo-rl": ["loss_fn.reference_policy_kl_penalty"],
    },
  },
  kl_in_loss: {
    about: "add the KL to the loss",
    unit: "",
    names: { verl: [`${A}use_kl_loss`], openrlhf: ["algo.kl.use_loss", "use_kl_loss"] },
  },
  kl_in_reward: { about: "take the KL off the reward", unit: "", names: { verl: ["algorithm.use_kl_in_reward"] } },
  kl_estimator: {
    about: "k1, k2 or k3",
    unit: "",
    names: { verl: [`${A}kl_loss_type`], openrlhf: ["algo.kl.estimator", "kl_estimator"] },
  },
  clip_low: {
    about: "the ratio may fall to 1 minus this",
    unit: "",
    names: {
      trl: ["epsilon", "cliprange"],
      verl: [`${A}clip_ratio_low`, `${A}clip_ratio`],
      openrlhf: ["actor.eps_clip", "eps_clip"],
    },
  },
  clip_high: {
    about: "the ratio may rise to 1 plus this",
    unit: "",
    names: { trl: ["epsilon_high"], verl: [`${A}clip_ratio_high`], openrlhf: ["actor.eps_clip_low_high"] },
  },
  entropy_coef: {
    about: "weight of the entropy bonus",
    unit: "",
    names: {
      trl: ["entropy_coef"],
      verl: [`${A}entropy_coeff`],
      openrlhf: ["actor.entropy_coef", "entropy_loss_coef"],
    },
  },
  importance_level: {
    about: "ratio per token or per sequence",
    unit: "",
    names: { trl: ["importance_sampling_level"] },
  },
  updates_per_rollout: {
    about: "passes over one rollout",
    unit: "passes",
    names: {
      trl: ["num_iterations", "num_ppo_epochs"],
      verl: [`${A}ppo_epochs`],
      openrlhf: ["train.max_epochs", "max_epochs"],
      "deepspeed-chat": ["ppo_epochs"],
    },
  },
  desirable_weight: { about: "KTO weight of desirable examples", unit: "", names: { trl: ["desirable_weight"] } },
  undesirable_weight: { about: "KTO weight of undesirable examples", unit: "", names: { trl: ["undesirable_weight"] } },
  label_smoothing: {
    about: "DPO label smoothing",
    unit: "",
    names: { trl: ["label_smoothing"], openrlhf: ["model.label_smoothing"] },
  },
  sync_reference: { about: "move the reference towards the policy", unit: "", names: { trl: ["sync_ref_model"] } },
  reference: {
    about: "the reference policy's folder",
    unit: "",
    names: { trl: ["ref_model"], openrlhf: ["ref.model_name_or_path", "ref_pretrain"], "ms-swift": ["ref_model"] },
  },
  disable_dropout: { about: "switch dropout off", unit: "", names: { trl: ["disable_dropout"] } },
  // ***** optimizer *****
  learning_rate: {
    about: "largest learning rate of the schedule",
    unit: "",
    names: {
      trl: ["learning_rate"],
      verl: [`${A}optim.lr`],
      openrlhf: ["actor.adam.lr", "adam.lr", "actor_learning_rate", "learning_rate"],
      "deepspeed-chat": ["actor_learning_rate"],
      mlx: ["learning_rate"],
    },
  },
  critic_learning_rate: {
    about: "learning rate of the critic",
    unit: "",
    names: { verl: ["critic.optim.lr"], openrlhf: ["critic.adam.lr", "critic_learning_rate"] },
  },
  schedule: {
    about: "shape of the learning rate over time",
    unit: "",
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
    unit: "",
    names: { trl: ["weight_decay"], verl: [`${A}optim.weight_decay`], openrlhf: ["actor.adam.weight_decay", "l2"] },
  },
  max_grad_norm: {
    about: "clip the gradient to this norm",
    unit: "",
    names: {
      trl: ["max_grad_norm"],
      verl: [`${A}grad_clip`, `${A}optim.clip_grad`],
      openrlhf: ["actor.max_norm", "max_norm"],
    },
  },
  optimizer: {
    about: "the optimizer",
    unit: "",
    names: { trl: ["optim"], verl: [`${A}optim.optimizer`], openrlhf: ["optim"] },
  },
  device_batch_size: {
    about: "sequences per device and micro-batch",
    unit: "completions",
    names: {
      trl: ["per_device_train_batch_size"],
      verl: [`${A}ppo_micro_batch_size_per_gpu`, `${A}ppo_micro_batch_size`],
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
    unit: "",
    names: {
      trl: ["generation_batch_size"],
      verl: ["data.train_batch_size"],
      openrlhf: ["train.batch_size", "train_batch_size"],
    },
  },
  minibatch_size: { about: "slice of a rollout per update", unit: "", names: { verl: [`${A}ppo_mini_batch_size`] } },
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
    unit: "",
    names: {
      trl: ["nproc_per_node", "num_processes"],
      verl: ["trainer.n_gpus_per_node"],
      openrlhf: ["actor.num_gpus_per_node", "actor_num_gpus_per_node"],
    },
  },
  nodes: {
    about: "machines",
    unit: "",
    names: { trl: ["nnodes"], verl: ["trainer.nnodes"], openrlhf: ["actor.num_nodes", "actor_num_nodes"] },
  },
  seed: { about: "seed of all randomness", unit: "", names: { trl: ["seed"], openrlhf: ["train.seed"] } },
  logging_steps: {
    about: "updates per printed record",
    unit: "updates",
    names: { trl: ["logging_steps"], openrlhf: ["logger.logging_steps"] },
  },
  logging_nan_filter: {
    about: "print 0 in place of a loss that is NaN",
    unit: "",
    names: { trl: ["logging_nan_inf_filter"] },
  },
  pad_token: { about: "id of the padding token", unit: "", names: { model: ["pad_token_id"], trl: ["pad_token"] } },
  eos_token: { about: "id of the end of sequence", unit: "", names: { model: ["eos_token_id"], trl: ["eos_token"] } },
  vocabulary: { about: "size of the vocabulary", unit: "tokens", names: { model: ["vocab_size"] } },
  max_pixels: { about: "largest image", unit: "pixels", names: { "visual-rft": ["max_pixels"] } },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;

/** Systems that take over TRL's names, with their own in addition. */
const LIKE_TRL = new Set(["ms-swift", "visual-rft", "vlm-r1", "r1-v-family", "unsloth", "llamafactory"]);

const BY_NAME: ReadonlyMap<string, readonly { option: OptionName; system: string }[]> = (() => {
  const map = new Map<string, { option: OptionName; system: string }[]>();
  for (const [option, { names }] of Object.entries(OPTIONS) as [OptionName, Option][]) {
    for (const [system, list] of Object.entries(names)) {
      for (const name of list) {
        const hits = map.get(name) ?? [];
        hits.push({ option, system });
        map.set(name, hits);
      }
    }
  }
  return map;
})();

/** The name as configurations write it: without leading dashes or plus signs, `-` as `_`. */
export function normaliseOption(name: string): string {
  return name.replace(/^[-+~\s]+/, "").replaceAll("-", "_");
}

/**
 * Our option behind a foreign name, or null.
 *
 * `system` decides between meanings where it is known; otherwise the first system of the table that uses the name wins.
 */
export function findOption(name: string, system: string | null): OptionName | null {
  const hits = BY_NAME.get(normaliseOption(name));
  if (hits === undefined) return Object.hasOwn(OPTIONS, name) ? name as OptionName : null;
  const own = hits.find((hit) => hit.system === system) ??
    (system !== null && LIKE_TRL.has(system) ? hits.find((hit) => hit.system === "trl") : undefined);
  return (own ?? hits[0]!).option;
}

/** How another system calls an option of ours (the name to print in a remedy), or null where it has none. */
export function optionName(option: OptionName, system: string): string | null {
  const names = (OPTIONS[option] as Option).names;
  return names[system]?.[0] ?? (LIKE_TRL.has(system) ? names.trl?.[0] : undefined) ??
    (system === "nonzero" ? option : null);
}
