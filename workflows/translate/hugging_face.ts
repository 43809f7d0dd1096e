/** The training arguments of transformers, which TRL, ms-swift and LLaMA-Factory take over. @module */
import { optionDefault } from "../../data/option_defaults.ts";
import { alike, choice, computed, each, lacking, noNumber, number } from "./entries.ts";
import { SCHEDULE_OPTIONS, scheduleOf, scheduleOptions } from "./hugging_face_schedule.ts";
import { recomputes, smallMoments } from "./low_memory.ts";
import { passesOver } from "./row_count.ts";
import type { Given, Made, Table } from "./table.ts";
import { shownValue } from "./written.ts";

/** Train steps of a file that only says how often it goes over its data. */
export const SOME_STEPS = 100;

/** How one trainer counts, as its options say. */
export interface Counting {
  /** The step whose optimizer is meant. */
  readonly step: string;
  /** Optimizer updates of the whole run. */
  readonly updates: (given: Given) => number;
  /** Optimizer updates of one train step of ours. */
  readonly perStep: (given: Given) => number;
  /** Rows of one train step. */
  readonly rows: (given: Given) => number;
}

const OWN_LOOP = "the rows of the data set are not known here";

/** Train steps of a rollout trainer: those that epochs make of rows that are known; TRL leaves the last, smaller batch out. */
export function epochSteps(given: Given, batch: number): number {
  return passesOver(given, batch, given.number("num_train_epochs", 3), false) ?? SOME_STEPS;
}

/** How a length was computed. */
export function passesNote(given: Given, epochs: unknown, batch: number): string {
  return `${shownValue(epochs)} × ${given.rows} rows ÷ ${batch} of a step`;
}

/** Optimizer, schedule and length of the run. */
export function trainingArguments(counting: Counting, learningRate: number): Table {
  const { step, updates } = counting;
  const warmup = (share: number, given: Given): Made =>
    share === 0 ? { set: { [`${step}.warmup_updates`]: 0 } } : {
      set: { [`${step}.warmup_updates`]: Math.ceil(share * updates(given)) },
      note: "transformers makes its first update at rate 0, one behind",
    };
  const schedule = (given: Given) =>
    scheduleOf(
      shownValue(given.value("lr_scheduler_type")),
      step,
      updates(given),
      scheduleOptions(given),
      given.number("learning_rate", learningRate),
    );
  return {
    learning_rate: number(`${step}.learning_rate`, learningRate),
    lr_scheduler_type: computed("linear", (_, given) => schedule(given)),
    lr_scheduler_kwargs: computed(null, (value, given) => value === null ? { equal: "none" } : schedule(given)),
    ...each(SCHEDULE_OPTIONS.map((name) => `lr_scheduler_kwargs.${name}`).join(" "), {
      make: (_, given) => schedule(given),
    }),
    warmup_steps: computed(
      0,
      (value, given) =>
        typeof value !== "number" ? noNumber(value) : value > 0 && value < 1 ? warmup(value, given) : value > 0
          ? {
            set: { [`${step}.warmup_updates`]: value },
            note: "transformers makes its first update at rate 0, one behind",
          }
          : given.number("warmup_ratio", 0) > 0
          ? { equal: "warmup_ratio holds" }
          : { set: { [`${step}.warmup_updates`]: 0 } },
    ),
    warmup_ratio: computed(
      undefined,
      (value, given) =>
        typeof value !== "number"
          ? noNumber(value)
          : given.number("warmup_steps", 0) > 0
          ? { lacks: "warmup_steps holds, as in transformers" }
          : warmup(value, given),
    ),
    weight_decay: computed(0, (value) =>
      typeof value !== "number" ? noNumber(value) : {
        set: { [`${step}.weight_decay`]: value },
        ...(value > 0
          ? { note: "on matrices only, as transformers leaves out biases and norms; embeddings decay here too" }
          : {}),
      }),
    adam_beta1: number(`${step}.beta1`, 0.9),
    adam_beta2: number(`${step}.beta2`, 0.999),
    adam_epsilon: number(`${step}.epsilon`, 1e-8),
    max_grad_norm: computed(
      optionDefault("max_grad_norm", "trl")!,
      (value) =>
        typeof value !== "number"
          ? noNumber(value)
          : value > 0
          ? { set: { [`${step}.max_grad_norm`]: value } }
          : { set: { [`${step}.max_grad_norm`]: 1e9 }, note: "0 switches clipping off: a bound that is never reached" },
    ),
    optim: choice("adamw_torch_fused", {
      ...Object.fromEntries(
        ["adamw_torch", "adamw_torch_fused", "adamw_hf", "adamw_apex_fused", "adamw"].map((
          name,
        ) => [name, { equal: "AdamW" }]),
      ),
      ...Object.fromEntries(
        ["paged_adamw_32bit", "paged_adamw"].map((name) => [name, { equal: "AdamW, with its moments in float32" }]),
      ),
      ...smallMoments(step),
      sgd: { set: { [`${step}.optimizer`]: "sgd" } },
    }, "AdamW takes its place"),
    optim_args: lacking("AdamW has beta1, beta2 and epsilon", { at: [null], text: "none" }),
    max_steps: computed(
      -1,
      (value, given) =>
        typeof value === "number" && value > 0 ? length(value, given, counting) : { equal: "num_train_epochs holds" },
    ),
    num_train_epochs: computed(3, (value, given) => {
      if (given.number("max_steps", -1) > 0) return { equal: "max_steps holds" };
      const batch = counting.rows(given), steps = epochSteps(given, batch);
      return given.rows != null && typeof value === "number" && value > 0
        ? { set: { "workflow.train_steps": steps }, note: passesNote(given, value, batch) }
        : {
          lacks: `${OWN_LOOP}: the run has ${SOME_STEPS} steps; put ${
            shownValue(value)
          } × rows ÷ ${batch} in their place`,
        };
    }, { tell: true }),
    seed: number("workflow.seed", 42),
    data_seed: lacking("one seed decides everything", { at: [null], text: "the seed decides" }),
    save_steps: computed(
      undefined,
      (value, given) =>
        typeof value === "number" && value >= 1
          ? { set: { "workflow.checkpoint.every": Math.max(1, Math.round(value / counting.perStep(given))) } }
          : { lacks: "a checkpoint is written at the end" },
    ),
    save_total_limit: computed(
      undefined,
      (value) =>
        typeof value === "number" && value >= 1 ? { set: { "workflow.checkpoint.keep": value } } : { equal: "as here" },
    ),
    save_strategy: choice(undefined, {
      steps: { equal: "every save_steps" },
      no: { equal: "only the end is kept" },
      epoch: { lacks: "a checkpoint is written every checkpoint.every train steps: set it" },
      best: { lacks: "checkpoint.best names the metric: set it" },
    }, "checkpoint.every decides"),
    ...each("gradient_checkpointing model.use_gradient_checkpointing", recomputes(step)),
    ...REPORTING,
    ...MACHINE,
  };
}

/** The run's length: train steps of ours, or updates of a step that makes them by itself. */
function length(updates: number, given: Given, { step, perStep }: Counting): Made {
  if (step !== "apply_update") return { set: { [`${step}.max_updates`]: updates } };
  const per = perStep(given), steps = Math.ceil(updates / per);
  return {
    set: { "workflow.train_steps": steps },
    note: per === 1 ? "" : `${updates} updates, ${per} in a train step${updates % per ? ", rounded up" : ""}`,
  };
}

const REPORTING: Table = {
  ...each(
    "output_dir logging_dir run_name project trackio_space_id hub_model_id",
    alike("a run has its own folder in runs/"),
  ),
  ...each(
    "overwrite_output_dir resume_from_checkpoint ignore_data_skip restore_callback_states_from_checkpoint",
    alike("a run is resumed by its id: run --resume"),
  ),
  ...each(
    "push_to_hub hub_strategy hub_token hub_private_repo hub_always_push hub_revision",
    lacking("nothing is uploaded; export_model writes a Hugging Face folder", {
      at: [false, null],
      text: "nothing is uploaded",
    }),
  ),
  report_to: lacking("every metric is in the run's tables and its report", {
    at: ["none", null],
    text: "every metric is in the run's tables",
  }),
  ...each(
    "logging_steps logging_first_step logging_strategy log_level log_level_replica log_on_each_node log_completions " +
      "num_completions_to_print log_unique_prompts log_multimodal log_completions_hub_repo disable_tqdm wandb_log_unique_prompts " +
      "include_num_input_tokens_seen skip_memory_metrics print_samples",
    alike("every train step is recorded, with its completions"),
  ),
  logging_nan_inf_filter: alike("a loss that is no number is shown as it is, located and named"),
  ...each(
    "eval_strategy evaluation_strategy eval_steps eval_on_start do_eval per_device_eval_batch_size eval_accumulation_steps " +
      "eval_delay num_generations_eval metric_for_best_model greater_is_better load_best_model_at_end",
    lacking("add a step evaluate where it shall be measured", {
      at: ["no", false, null],
      text: "nothing is evaluated",
    }),
  ),
  ...each("do_train", alike("it trains")),
  do_predict: lacking("a step evaluate measures", { at: [false], text: "as here" }),
  ...each(
    "save_only_model save_safetensors save_on_each_node",
    alike("export_model writes safetensors, checkpoints all"),
  ),
  trl: alike("a note, no option"),
  ...each("transformers torch peft", alike("a note, no option")),
};

const NO_MEMORY = "memory only: prompts_per_pass and rows_at_once bound it here";

const MACHINE: Table = {
  ...each(
    "gradient_checkpointing_kwargs gradient_checkpointing_kwargs.use_reentrant use_reentrant auto_find_batch_size " +
      "torch_empty_cache_steps activation_offloading offload_optimizer offload_model",
    alike(NO_MEMORY),
  ),
  ...each(
    "bf16 fp16 bf16_full_eval fp16_full_eval half_precision_backend fp16_opt_level",
    lacking("weights and log-probs are float32 here: results differ by the rounding of half precision", {
      at: [false, null, "auto"],
      text: "float32",
    }),
  ),
  tf32: lacking("products are float32 here", { at: [false, null], text: "products are float32" }),
  ...each(
    "deepspeed fsdp fsdp_config fsdp_min_num_params fsdp_transformer_layer_cls_to_wrap accelerator_config parallelism_config " +
      "ddp_find_unused_parameters ddp_bucket_cap_mb ddp_broadcast_buffers ddp_timeout ddp_backend local_rank ds3_gather_for_generation " +
      "accelerate_config config_file",
    lacking("one process trains; what the others add to a batch is in prompts_per_step", {
      at: ["", null, false],
      text: "one process",
    }),
  ),
  ...each(
    "dataloader_num_workers dataloader_pin_memory dataloader_drop_last dataloader_persistent_workers dataloader_prefetch_factor " +
      "group_by_length length_column_name remove_unused_columns dataset_num_proc preprocessing_num_workers overwrite_cache label_names " +
      "use_legacy_prediction_loop past_index average_tokens_across_devices",
    alike("rows are read and batched by the step itself"),
  ),
  ...each(
    "torch_compile torch_compile_backend torch_compile_mode use_liger_kernel use_liger_loss use_liger jit_mode_eval use_ipex use_cpu " +
      "no_cuda use_mps_device attn_implementation attn_impl flash_attn torch_compile_config enable_liger_kernel",
    alike("speed only: graphs are compiled for the device here"),
  ),
  neftune_noise_alpha: lacking("no noise is added to embeddings", { at: [null, 0], text: "no noise" }),
  label_smoothing_factor: lacking("the loss is the plain cross-entropy", { at: [0, null], text: "no smoothing" }),
};
