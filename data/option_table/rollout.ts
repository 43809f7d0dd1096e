/** Options of model, data and sampling, and their names in other systems. @module */
import type { Option } from "./option.ts";

const A = "actor_rollout_ref.actor.";
const R = "actor_rollout_ref.rollout.";
const M = "actor_rollout_ref.model.";

export const ROLLOUT_OPTIONS = {
  // ***** model *****
  model: {
    about: "the model folder or name",
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
    here: [],
    instead: "numbers are float32 here; weights: int8 or int4 of load_model stores a frozen base in fewer bits",
    names: {
      trl: ["dtype", "torch_dtype"],
      verl: [`${R}dtype`, `${A}fsdp_config.model_dtype`, `${A}fsdp_config.dtype`],
      openrlhf: ["ds.param_dtype"],
      "ms-swift": ["torch_dtype"],
      "visual-rft": ["torch_dtype"],
    },
  },
  bf16: {
    about: "bfloat16 mixed precision",
    here: [],
    instead: "numbers are float32 here; weights: int8 or int4 of load_model stores a frozen base in fewer bits",
    names: { trl: ["bf16"], openrlhf: ["bf16"] },
  },
  fp16: {
    about: "float16 mixed precision with a loss scaler",
    here: [],
    instead: "numbers are float32 here; weights: int8 or int4 of load_model stores a frozen base in fewer bits",
    names: { trl: ["fp16"], openrlhf: ["fp16"] },
  },
  attention: {
    about: "attention implementation",
    here: [],
    instead: "the model's graph is built here, there is no choice of it",
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
    here: ["recompute"],
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
    here: ["recompute"],
    names: {
      trl: ["gradient_checkpointing_kwargs.use_reentrant", "use_reentrant"],
      openrlhf: ["actor.gradient_checkpointing_reentrant", "gradient_checkpointing_use_reentrant"],
      "ms-swift": ["gradient_checkpointing_kwargs.use_reentrant"],
    },
  },
  lora: {
    about: "train adapters instead of all weights",
    names: {
      trl: ["use_peft", "peft_config", "lora_config"],
      "ms-swift": ["train_type", "sft_type"],
      llamafactory: ["finetuning_type"],
    },
  },
  lora_rank: {
    about: "rank of the adapters",
    here: ["lora.rank"],
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
    here: ["lora.alpha"],
    names: {
      trl: ["lora_alpha", "peft_config.lora_alpha"],
      verl: [`${M}lora_alpha`],
      openrlhf: ["ds.lora.alpha", "lora_alpha"],
    },
  },
  lora_target_modules: {
    about: "which modules get an adapter",
    here: ["lora.target_modules"],
    names: {
      trl: ["lora_target_modules", "peft_config.target_modules", "lora_config.target_modules"],
      verl: [`${M}target_modules`, "model.target_modules"],
      openrlhf: ["ds.lora.target_modules", "target_modules"],
      "ms-swift": ["target_modules", "lora_target_modules"],
      llamafactory: ["lora_target"],
    },
  },
  lora_dropout: {
    about: "share of an adapter's inputs that training leaves out",
    here: ["lora.dropout"],
    names: { trl: ["lora_dropout", "peft_config.lora_dropout"] },
  },
  lora_rslora: {
    about: "scale adapters by alpha / √rank",
    here: ["lora.rslora"],
    names: { trl: ["use_rslora", "peft_config.use_rslora"] },
  },
  lora_modules_to_save: {
    about: "modules that train whole beside an adapter",
    here: ["lora.modules_to_save"],
    names: { trl: ["lora_modules_to_save", "peft_config.modules_to_save"] },
  },
  lora_init: {
    about: "how an adapter begins",
    here: ["lora.init"],
    names: { trl: ["init_lora_weights", "peft_config.init_lora_weights"] },
  },
  lora_layers: {
    about: "layers that get an adapter",
    here: ["lora.layers"],
    names: { trl: ["layers_to_transform", "peft_config.layers_to_transform"] },
  },
  lora_bias: {
    about: "which biases train beside an adapter",
    here: [],
    instead: "biases stay as they are beside an adapter, as with none; leave it out",
    names: { trl: ["lora_bias", "peft_config.bias"] },
  },
  lora_task_type: {
    about: "what an adapter's model is for",
    here: [],
    instead: "every model is a causal language model; leave it out",
    names: { trl: ["lora_task_type", "peft_config.task_type"] },
  },
  lora_dora: {
    about: "adapters with a magnitude of their own",
    here: [],
    instead: "DoRA is not there; leave it out: a plain adapter trains, with rslora: true at high ranks",
    names: { trl: ["use_dora", "peft_config.use_dora"] },
  },
  weights: {
    about: "bits of the frozen weights",
    names: {
      trl: ["load_in_4bit", "load_in_8bit", "quantization_config"],
      "ms-swift": ["quant_bits"],
      llamafactory: ["quantization_bit"],
    },
  },
  // ***** data *****
  dataset: {
    about: "the data to train on",
    here: ["load_prompts.file", "load_preferences.file"],
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
      "visual-rft": [],
      verl: ["data.max_length", `${R}max_model_len`],
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
      "visual-rft": [],
    },
  },
  top_k: {
    about: "keep this many most likely tokens; 0 or -1 = all",
    unit: "tokens",
    names: { trl: ["top_k", "generation_kwargs.top_k"], verl: [`${R}top_k`], "visual-rft": [] },
    values: { verl: { 0: -1 } },
  },
  min_p: {
    about: "keep tokens above this share of the largest probability",
    unit: "probability",
    names: { trl: ["min_p", "generation_kwargs.min_p"], "visual-rft": [] },
  },
  repetition_penalty: {
    about: "divides logits of tokens already used",
    names: { trl: ["repetition_penalty", "generation_kwargs.repetition_penalty"], "visual-rft": [] },
  },
  do_sample: {
    about: "sample; false = always the most likely token",
    names: { trl: ["do_sample", "generation_kwargs.do_sample"], verl: [`${R}do_sample`] },
  },
  mask_truncated: {
    about: "leave truncated completions out of the loss",
    names: { trl: ["mask_truncated_completions"], "ms-swift": ["overlong_filter"], "visual-rft": [] },
  },
  use_vllm: {
    about: "sample with vLLM",
    here: [],
    instead: "the sampler is built in",
    names: { trl: ["use_vllm"], verl: [`${R}name`], openrlhf: ["vllm.num_engines", "vllm_num_engines"] },
  },
} as const satisfies Record<string, Option>;
