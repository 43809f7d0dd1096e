/** OpenRLHF's options that all of its programs share: optimizer, model, data, machine; underscore names are those before 0.10. @module */
import { optionDefault } from "../../data/option_defaults.ts";
import { alike, computed, each, lacking, noNumber, number } from "./entries.ts";
import { passesNote, SOME_STEPS } from "./hugging_face.ts";
import { passesOver } from "./row_count.ts";
import type { Given, Made, Table } from "./table.ts";
import { dataPlace, modelPlace } from "./hub_names.ts";
import { QUANTIZED, recomputes } from "./low_memory.ts";
import { OPENRLHF_ADAPTERS, OPENRLHF_IMAGES, TEXTS_ALONE } from "./openrlhf_images.ts";
import { splitOf } from "./trl_model.ts";
import { isUnresolved, shownValue, type Value } from "./written.ts";

/** Where a program's optimizer stands and what it trains here. */
interface Optimizer {
  readonly step: string;
  /** `actor.`, `critic.` or nothing. */
  readonly prefix: string;
  readonly rate: number;
  /** Names before 0.10 of the rate. */
  readonly also: readonly string[];
  readonly updates: (given: Given) => number;
}

/** One group of optimizer options; `shared` keeps the names without a group for one of them. */
export function openrlhfOptimizer({ step, prefix, rate, also, updates }: Optimizer, shared = true): Table {
  const old = (...names: string[]) => shared ? names : [];
  const model = prefix === "" ? "model." : prefix;
  const schedule = (value: Value, given: Given): Made => {
    const name = String(value), until = { [`${step}.schedule_updates`]: updates(given) };
    const floor = given.number(`${prefix}min_lr_ratio`, 0.1);
    switch (name) {
      case "cosine_with_min_lr":
        return { set: { [`${step}.schedule`]: "cosine", ...until, [`${step}.schedule_floor`]: floor } };
      case "cosine":
      case "linear":
        return { set: { [`${step}.schedule`]: name, ...until } };
      case "constant":
      case "constant_with_warmup":
        return { set: { [`${step}.schedule`]: "constant" } };
      default:
        return { lacks: `schedule "${shownValue(value)}" is not here; the learning rate stays constant` };
    }
  };
  return {
    [`${prefix}adam.lr`]: { ...number(`${step}.learning_rate`, rate), also },
    [`${prefix}adam.betas`]: computed([0.9, 0.95], (value) => {
      const [first, second] = Array.isArray(value) ? value : [];
      return typeof first === "number" && typeof second === "number"
        ? { set: { [`${step}.beta1`]: first, [`${step}.beta2`]: second } }
        : noNumber(value);
    }, { also: old("adam_betas") }),
    [`${prefix}adam.eps`]: number(`${step}.epsilon`, 1e-8),
    [`${prefix}adam.weight_decay`]: computed(
      0,
      (value) =>
        typeof value !== "number" ? noNumber(value) : {
          set: { [`${step}.weight_decay`]: value },
          note: value > 0 ? "on matrices only, as there without biases and norms" : "",
        },
      { also: old("l2") },
    ),
    [`${model}gradient_checkpointing_enable`]: { ...recomputes(step), also: old("gradient_checkpointing") },
    [`${prefix}optim`]: lacking("AdamW takes its place", { at: ["adam"], text: "AdamW" }),
    ...each(
      ["lr", "momentum", "ns_steps", "nesterov", "no_nesterov"].map((name) => `${prefix}muon.${name}`).join(" "),
      alike("without effect unless optim is muon"),
    ),
    [`${prefix}lr_scheduler`]: { default: "cosine_with_min_lr", also: old("lr_scheduler"), make: schedule },
    [`${prefix}lr_warmup_ratio`]: computed(0.03, (value, given) =>
      typeof value !== "number" ? noNumber(value) : {
        set: { [`${step}.warmup_updates`]: Math.ceil(value * updates(given)) },
        note: value > 0 ? "the first update is at rate 0 there, one behind" : "",
      }, { also: old("lr_warmup_ratio") }),
    [`${prefix}min_lr_ratio`]: computed(
      0.1,
      (value, given) =>
        given.value(`${prefix}lr_scheduler`) === "cosine_with_min_lr"
          ? { set: { [`${step}.schedule_floor`]: value } }
          : { equal: "without effect unless the schedule is cosine_with_min_lr" },
    ),
    [`${prefix}max_norm`]: {
      ...number(`${step}.max_grad_norm`, Number(optionDefault("max_grad_norm", "openrlhf"))),
      also: old("max_norm"),
    },
  };
}

const nameOf = (value: Value): string | null => {
  const first = Array.isArray(value) ? value[0] : value;
  return isUnresolved(first) ? null : typeof first === "string" ? first : null;
};

/** A model's name or folder for a step's option. */
export function openrlhfModel(target: `${string}.${string}`, also: readonly string[]) {
  return computed(undefined, (value, given) => {
    const name = nameOf(value);
    return name === null
      ? { lacks: `only known when the program runs (${shownValue(value)}); put the folder of the model into ${target}` }
      : { set: { [target]: modelPlace(name, given) }, note: name };
  }, { asText: true, also });
}

/** The data of a program. */
export function openrlhfData(source: "load_prompts" | "load_preferences", also: readonly string[]): Table {
  const file = `${source}.file` as const;
  return {
    "data.dataset": computed(undefined, (value, given) => {
      const name = nameOf(value);
      return name === null
        ? {
          lacks: `only known when the program runs (${shownValue(value)}); write its rows into the file of ${source}`,
        }
        : {
          set: { [file]: dataPlace(name, given) },
          note: Array.isArray(value) && value.length > 1 ? "one file is read: join them" : name,
        };
    }, { asText: true, also }),
    ...each(
      "data.prompt_probs data.dataset_probs prompt_data_probs dataset_probs data.input_template input_template",
      alike("write the rows as they are to be into the file"),
    ),
    ...each(
      "data.prompt_split data.dataset_split prompt_split train_split",
      computed(undefined, (value, given) => {
        const name = nameOf(given.value("data.dataset"));
        return name !== null && dataPlace(name, given).startsWith("hf:")
          ? splitOf(value, source)
          : { equal: "write these rows into the file" };
      }),
    ),
    "data.max_samples": computed(
      undefined,
      (value) =>
        typeof value === "number" && value < 1e6 ? { set: { [`${source}.limit`]: value } } : { equal: "all rows" },
      { also: ["max_samples"] },
    ),
    "data.apply_chat_template": computed(false, (value) => ({ set: { "load_model.chat_template": value === true } }), {
      also: ["apply_chat_template"],
    }),
    ...each(
      "data.tokenizer_chat_template tokenizer_chat_template",
      lacking("the chat template of the model's folder", { at: [null], text: "of the folder" }),
    ),
    ...each(
      "eval.dataset eval.split eval.steps eval_dataset eval_split eval_steps eval.temperature eval.n_samples_per_prompt eval_temperature eval_n_samples_per_prompt",
      lacking("add a step evaluate where it shall be measured", { at: [-1, null], text: "nothing is evaluated" }),
    ),
    ...(source === "load_prompts" ? OPENRLHF_IMAGES : TEXTS_ALONE),
  };
}

/** How many updates an epoch over rows that are not known has. */
export function openrlhfEpochs(length: Length, also: readonly string[]) {
  return computed(1, (value, given) => {
    const batch = given.count(...length.batch);
    if (given.rows != null && typeof value === "number" && value > 0) {
      return { set: { [length.target]: openrlhfLength(given, length) }, note: passesNote(given, value, batch) };
    }
    return {
      lacks: `the rows of the data set are not known here: the run has ${SOME_STEPS} steps; put ${
        shownValue(value)
      } × rows ÷ ${batch} in their place`,
    };
  }, { also, tell: true });
}

/** What a program's run is counted in, with the names of its batch and its passes over the rows, and their defaults. */
interface Length {
  readonly target: `${string}.${string}`;
  readonly batch: readonly [name: string, otherwise: number];
  readonly epochs: string;
}

/** The length of a run: OpenRLHF leaves the last, smaller batch of an epoch out. */
export function openrlhfLength(given: Given, { batch, epochs }: Length): number {
  return passesOver(given, given.count(...batch), given.number(epochs, 1), false) ?? SOME_STEPS;
}

const ONE = "one process trains on one device; prompts_per_pass bounds memory";

/** What changes no number, or has no place here. */
export const OPENRLHF_MACHINE: Table = {
  ...each(
    "ref.num_nodes ref.num_gpus_per_node reward.num_nodes reward.num_gpus_per_node actor.num_nodes actor.num_gpus_per_node critic.num_nodes critic.num_gpus_per_node " +
      "ref_num_nodes ref_num_gpus_per_node reward_num_nodes reward_num_gpus_per_node actor_num_nodes actor_num_gpus_per_node critic_num_nodes critic_num_gpus_per_node " +
      "train.colocate_actor_ref train.colocate_critic_reward train.colocate_all colocate_all_models colocate_actor_ref colocate_critic_reward num_processes local_rank " +
      "ds.zero_stage zero_stage ds.zpg zpg ds.overlap_comm overlap_comm ds.grad_accum_dtype grad_accum_dtype ds.deepcompile deepcompile " +
      "ds.tensor_parallel_size ds_tensor_parallel_size ds.ring_attn_size ring_attn_size ds.ring_attn_head_stride ring_head_stride ds.enable_sleep deepspeed_enable_sleep " +
      "ds.use_universal_ckpt use_ds_universal_ckpt ref.offload ref_reward_offload reward.offload ref_offload train.micro_batch_size micro_train_batch_size rollout.micro_batch_size " +
      "micro_rollout_batch_size train.dynamic_batch_enable use_dynamic_batch rollout.max_tokens_per_gpu train.max_tokens_per_gpu rollout_max_tokens_per_gpu train_max_tokens_per_gpu " +
      "ds.packing_samples packing_samples ds.value_head_prefix value_head_prefix",
    alike(ONE),
  ),
  ...each(
    "ds.adam_offload adam_offload",
    lacking("moments lie beside the weights; optimizer_state: int8 of the step that trains stores them in a quarter", {
      at: [false],
      text: "moments lie beside the weights",
    }),
  ),
  ...each(
    "vllm.num_engines vllm.tensor_parallel_size vllm.sync_backend vllm.sync_with_ray vllm.enable_prefix_caching vllm.enforce_eager vllm.enable_sleep vllm.gpu_memory_utilization " +
      "vllm_num_engines vllm_tensor_parallel_size vllm_sync_backend vllm_sync_with_ray enable_prefix_caching enforce_eager vllm_enable_sleep vllm_gpu_memory_utilization",
    alike("the sampler is built in"),
  ),
  ...each(
    "ds.attn_implementation flash_attn attn_implementation ds.experts_implementation ds.use_liger_kernel use_liger_kernel " +
      "actor.gradient_checkpointing_reentrant model.gradient_checkpointing_reentrant gradient_checkpointing_use_reentrant " +
      "data.disable_fast_tokenizer disable_fast_tokenizer data.dataloader_num_workers dataloader_num_workers full_determinism train.full_determinism_enable deterministic",
    alike("speed and memory only"),
  ),
  ...each(
    "ds.param_dtype param_dtype bf16 fp16",
    lacking("weights and log-probs are float32 here: results differ by the rounding of half precision", {
      at: ["fp32", false],
      text: "float32",
    }),
  ),
  ...QUANTIZED,
  ...OPENRLHF_ADAPTERS,
  ...each(
    "ckpt.path ckpt_path ckpt.output_dir save_path ckpt.save_hf save_hf_ckpt ckpt.disable_ds disable_ds_ckpt ckpt.max_mem max_ckpt_mem ckpt.load_enable load_checkpoint ckpt.best_metric_key " +
      "best_metric_key critic.save_value_network save_value_network",
    alike("checkpoints and the export are in the run's folder"),
  ),
  "ckpt.save_steps": computed(
    -1,
    (value) =>
      typeof value === "number" && value > 0
        ? { set: { "workflow.checkpoint.every": value } }
        : { equal: "a checkpoint at the end" },
    { also: ["save_steps"] },
  ),
  "ckpt.max_num": computed(
    undefined,
    (value) => typeof value === "number" ? { set: { "workflow.checkpoint.keep": value } } : noNumber(value),
    { also: ["max_ckpt_num"] },
  ),
  ...each(
    "logger.logging_steps logging_steps logger.wandb.key logger.wandb.org logger.wandb.group logger.wandb.project logger.wandb.run_name use_wandb wandb_org wandb_group wandb_project " +
      "wandb_run_name logger.tensorboard_dir use_tensorboard use_ms perf",
    alike("every metric is in the run's tables"),
  ),
  ...each(
    "actor.aux_loss_coef model.aux_loss_coef aux_loss_coef",
    lacking("mixtures of experts are not here", { at: [0], text: "no mixture of experts" }),
  ),
  "train.enable_ema": lacking("no average of the weights is kept", { at: [false], text: "none is kept" }, {
    also: ["enable_ema"],
  }),
  "train.ema_beta": alike("without effect unless enable_ema"),
  "train.seed": { ...number("workflow.seed", 42), also: ["seed"] },
};
