/** ms-swift's rlhf and sft: TRL's trainers with its own names and defaults. @module */
import { adapterEntries, loraOf } from "./adapters.ts";
import { alike, choice, computed, each, lacking, noNumber, noSuch, number } from "./entries.ts";
import { SWIFT_IMAGES, SWIFT_LORA } from "./ms_swift_images.ts";
import { batchOf, epochsOf, joinedNote, KTO_LEAST, usualAccumulation } from "./given_rows.ts";
import { thinking } from "./chat_variables.ts";
import type { Entry, Given, Made, Settings, Table } from "./table.ts";
import { batchSettings } from "./trl_batch.ts";
import { TRL_GRPO } from "./trl_grpo.ts";
import { DPO_OPTIONS, KTO_OPTIONS, preferenceTable } from "./trl_preferences.ts";
import { rewardModelTable, supervisedTable } from "./trl_supervised.ts";
import type { Value } from "./written.ts";

const FULL_RATE = 1e-5, ADAPTER_RATE = 1e-4;
const NO_ADAPTER =
  "of adapters only LoRA trains here: all weights train; look at the learning rate, which full training wants lower";

/** The same entry with another default. */
const from = (entry: Entry, fallback: Value): Entry => ({ ...entry, default: fallback });

/** lora unless it says full; each has its own learning rate. */
const isFull = (given: Given) => given.value("train_type") === "full";

/** Options of all of its trainers, over those of `table`; `step` is what trains. */
function swift(table: Table, step: string): Table {
  return {
    ...table,
    rlhf_type: alike("what the workflow does"),
    train_type: {
      ...computed(
        "lora",
        (value, given) =>
          value === "full"
            ? { equal: "all weights train" }
            : value === "lora"
            ? { set: loraOf(given, SWIFT_LORA) }
            : { lacks: NO_ADAPTER },
        { tell: true },
      ),
      also: ["sft_type", "tuner_type"],
    },
    ...adapterEntries(SWIFT_LORA, (given) => given.value("train_type") === "lora"),
    ...each(
      "lora_bias lora_dtype target_regex target_parameters adapters ref_adapters " +
        "lorap_lr_ratio freeze_parameters freeze_parameters_ratio trainable_parameters vit_lr aligner_lr merge_lora vllm_enable_lora",
      lacking("plain LoRA on target_modules, or all weights train here", {
        at: [null, false, "none"],
        text: "as here",
      }),
    ),
    ...SWIFT_IMAGES,
    enable_thinking: thinking(),
    learning_rate: computed(null, (value, given) => {
      const rate = typeof value === "number" ? value : isFull(given) ? FULL_RATE : ADAPTER_RATE;
      return value !== null && typeof value !== "number" ? noNumber(value) : {
        set: { [`${step}.learning_rate`]: rate },
        note: value === null ? "1e-5 for all weights, 1e-4 for adapters" : "",
      };
    }),
    lr_scheduler_type: from(table["lr_scheduler_type"]!, "cosine"),
    weight_decay: from(table["weight_decay"]!, 0.1),
    adam_beta2: from(table["adam_beta2"]!, 0.95),
    ...each("torch_dtype", lacking("weights are float32 here", { at: ["float32", null], text: "float32" })),
    ...each(
      "model_type template system agent_template use_chat_template template_backend response_prefix loss_scale tools_prompt use_hf use_modelscope check_model " +
        "add_version create_checkpoint_symlink lazy_tokenize strict load_from_cache_file columns custom_dataset_info custom_register_path download_mode model_author " +
        "dataset_shuffle val_dataset_shuffle train_dataloader_shuffle streaming interleave_prob stopping_strategy shuffle_buffer_size cached_dataset " +
        "padding_side sequence_parallel_size zero_hpz_partition_size deepspeed_autotp_size acc_strategy full_determinism vit_gradient_checkpointing max_epochs " +
        "swanlab_project swanlab_exp_name swanlab_mode swanlab_token metric eval_limit eval_use_evalscope early_stop_interval resume_only_model device_map max_memory",
      alike("rows stand in the file as they are to be; how it is run changes no number"),
    ),
    split_dataset_ratio: lacking(
      "it takes this share of the rows out of training; set splits of the step that loads them",
      {
        at: [0, null],
        text: "all rows train",
      },
    ),
    ...each("external_plugins", lacking("rewards of one's own are files of score_rewards")),
    ...each(
      "val_dataset",
      lacking("add a step evaluate and rows with split held_out", { at: [null], text: "nothing is evaluated" }),
    ),
    truncation_strategy: lacking("a prompt that is too long is refused", {
      at: ["delete"],
      text: "a row that is too long is not trained on",
    }),
  };
}

/** The batch of a trainer of given rows. */
export function swiftRows(
  step: "train_preferences" | "fine_tune" | "train_reward_model",
  least = 1,
): (given: Given) => Settings {
  return (given) => {
    const rows = given.count("per_device_train_batch_size", 1) * given.count("num_processes", 1);
    const gradients = given.count("gradient_accumulation_steps", usualAccumulation(given));
    return { ...batchOf(step, rows, gradients, least), ...epochsOf(step, given) };
  };
}

function withRows(table: Table, step: "train_preferences" | "fine_tune" | "train_reward_model", least = 1): Table {
  const note = (given: Given) => {
    const rows = given.count("per_device_train_batch_size", 1) * given.count("num_processes", 1);
    return joinedNote(rows, given.count("gradient_accumulation_steps", usualAccumulation(given)), least).slice(2);
  };
  const make: Entry["make"] = (value, given) =>
    typeof value !== "number"
      ? value === null ? { equal: "as many as make 16 rows" } : noNumber(value)
      : { set: swiftRows(step, least)(given), note: note(given) };
  return {
    ...swift(table, step),
    per_device_train_batch_size: computed(1, make),
    gradient_accumulation_steps: computed(null, make),
  };
}

const estimator = (given: Given) => String(given.value("advantage_estimator"));

/** Which estimator, with its own scale of rewards and place of the KL. */
function advantages(value: Value): Made {
  switch (String(value)) {
    case "grpo":
      return { set: { "compute_advantages.preset": "trl/grpo" } };
    case "rloo":
      return { set: { "compute_advantages.preset": "trl/rloo" } };
    case "reinforce_plus_plus":
      return {
        set: { "compute_advantages.preset": "verl/reinforce_plus_plus_baseline" },
        note: "group's mean, then the batch's deviation",
      };
    default:
      return noSuch(value, "ms-swift", ["grpo", "rloo", "reinforce_plus_plus"]);
  }
}

const kl = (value: Value, given: Given): Made => {
  const coefficient = typeof value === "number" ? value : 0.04;
  const inReward = given.value("kl_in_reward") === true ||
    given.value("kl_in_reward") === null && estimator(given) !== "grpo";
  if (coefficient === 0) return { set: { "load_model.reference": "none" }, note: "no reference, no KL" };
  return inReward
    ? { set: { "compute_advantages.kl_coef": coefficient, "load_model.reference": "copy" }, note: "in the reward" }
    : {
      set: {
        "apply_update.kl_coef": coefficient,
        "apply_update.kl_estimator": "k3",
        "apply_update.kl_times_ratio": false,
        "load_model.reference": "copy",
      },
      note: "in the loss, k3",
    };
};

export const SWIFT_GRPO: Table = {
  ...swift(TRL_GRPO, "apply_update"),
  per_device_train_batch_size: from(TRL_GRPO["per_device_train_batch_size"]!, 1),
  beta: { default: 0.04, make: kl },
  kl_in_reward: computed(
    null,
    (value, given) => value === null ? { equal: "as the estimator has it" } : kl(given.value("beta"), given),
  ),
  use_bias_correction_kl: from(TRL_GRPO["use_bias_correction_kl"]!, false),
  loss_type: from(TRL_GRPO["loss_type"]!, "grpo"),
  temperature: from(TRL_GRPO["temperature"]!, 0.9),
  top_k: from(TRL_GRPO["top_k"]!, 50),
  top_p: from(TRL_GRPO["top_p"]!, 0.9),
  advantage_estimator: computed("grpo", advantages),
  scale_rewards: computed(
    null,
    (value, given) =>
      estimator(given) !== "grpo"
        ? { equal: "as the estimator has it" }
        : TRL_GRPO["scale_rewards"]!.make(value ?? "group", given),
  ),
  tau_pos: { ...TRL_GRPO["sapo_temperature_pos"]!, also: [] },
  tau_neg: { ...TRL_GRPO["sapo_temperature_neg"]!, also: [] },
  overlong_filter: computed(false, (value) => ({ set: { "sample_groups.mask_truncated": value === true } })),
  dynamic_sample: computed(
    false,
    (value, given) =>
      value !== true ? { equal: "every group is trained on" } : {
        set: {
          "filter_groups.keep": "spread",
          "filter_groups.max_batches": given.count("max_resample_times", 3) + 1,
        },
      },
  ),
  max_resample_times: computed(
    3,
    (value, given) =>
      given.value("dynamic_sample") === true && typeof value === "number"
        ? { set: { "filter_groups.max_batches": value + 1 } }
        : { equal: "without effect unless dynamic_sample" },
  ),
  rollout_importance_sampling_mode: computed(
    null,
    (value, given) => value === null ? { equal: "no weights" } : weights(String(value), given),
  ),
  rollout_importance_sampling_threshold: computed(
    2,
    (_, given) =>
      given.value("rollout_importance_sampling_mode") === null
        ? { equal: "without effect unless a mode is set" }
        : weights(String(given.value("rollout_importance_sampling_mode")), given),
  ),
  vllm_importance_sampling_correction: alike("rollout_importance_sampling_mode decides"),
  max_length: lacking("prompts are never cut: a prompt that is too long is refused; shorten the file's"),
  log_entropy: alike("entropy is always recorded"),
  ...each("soft_max_length soft_cache_length", alike("options of the reward soft_overlong")),
  ...each(
    "max_turns completion_length_limit_scope multi_turn_func",
    lacking("completions are one turn, without tools", { at: [null], text: "one turn" }),
  ),
  stop_words: lacking("a completion ends at the end of sequence", { at: [null], text: "at the end of sequence" }),
};

function weights(mode: string, given: Given): Made {
  return {
    set: {
      "apply_update.sampler_weights": mode.startsWith("token") ? "token" : "sequence",
      "apply_update.sampler_bounds": [null, given.number("rollout_importance_sampling_threshold", 2)],
      "apply_update.sampler_outside": mode.endsWith("mask") ? "mask" : "truncate",
    },
    note: "near 1 here: the sampler is the policy's own graph",
  };
}

/** The batch of GRPO: one row per device where nothing is said. */
export function swiftBatch(given: Given): Settings {
  return batchSettings({
    ...given,
    count: (name, otherwise) => given.count(name, name === "per_device_train_batch_size" ? 1 : otherwise),
  });
}

const preferences = withRows(preferenceTable(ADAPTER_RATE, 1), "train_preferences");
const rpo: Entry = computed(
  null,
  (value) =>
    typeof value === "number"
      ? { set: { "train_preferences.dpo_loss": ["sigmoid", "sft"], "train_preferences.loss_weights": [1, value] } }
      : { equal: "no cross-entropy of the chosen" },
);

export const SWIFT_DPO: Table = {
  ...preferences,
  ...DPO_OPTIONS,
  label_smoothing: number("train_preferences.label_smoothing", 0),
  rpo_alpha: rpo,
  max_length: from(preferences["max_length"]!, null),
  simpo_gamma: alike("without effect unless rlhf_type is simpo"),
};

const labelled = withRows(preferenceTable(ADAPTER_RATE, 1), "train_preferences", KTO_LEAST);

export const SWIFT_KTO: Table = { ...labelled, ...KTO_OPTIONS, max_length: from(labelled["max_length"]!, null) };

export const SWIFT_SFT: Table = {
  ...withRows(supervisedTable(ADAPTER_RATE, 1), "fine_tune"),
  max_length: from(supervisedTable(ADAPTER_RATE, 1)["max_length"]!, null),
  loss_type: choice(undefined, { cross_entropy: { equal: "the cross-entropy" } }, "the loss is the cross-entropy"),
  loss_scale: computed(
    "default",
    (value) =>
      value === "all"
        ? { set: { "fine_tune.loss_on": "all" } }
        : value === "default" || value === "last_round"
        ? { equal: "the answer's tokens count" }
        : { lacks: "the answer's tokens count the same" },
  ),
};

export const SWIFT_RM: Table = withRows(rewardModelTable(ADAPTER_RATE, 1), "train_reward_model");
