/** LLaMA-Factory's stages: their options as those of our steps, with the defaults of its own arguments. @module */
import { adapterEntries, type AdapterNames, loraOf, otherAdapters } from "./adapters.ts";
import { alike, choice, computed, each, lacking, noNumber, noSuch, number } from "./entries.ts";
import { KTO_LEAST, rowBatchEntries } from "./given_rows.ts";
import { epochSteps } from "./hugging_face.ts";
import type { Entry, Given, Made, Settings, Table, Target } from "./table.ts";
import { batchSettings, TRL_COUNTING } from "./trl_batch.ts";
import { trainingArguments } from "./hugging_face.ts";
import { thinking } from "./chat_variables.ts";
import { modelPlace } from "./hub_names.ts";
import { LLAMAFACTORY_IMAGES, llamafactoryFreezing, llamafactoryKept, mediaFolder } from "./llamafactory_images.ts";
import { modelAndData } from "./trl_model.ts";
import { preferenceTable } from "./trl_preferences.ts";
import { rewardModelTable, supervisedTable } from "./trl_supervised.ts";
import { shownValue, type Value, valueText, type Written } from "./written.ts";

const RATE = 5e-5, DEVICE = 8, CUT = 2048;

const NO_ADAPTER =
  "of adapters only LoRA trains here: all weights train; look at the learning rate, which full training wants lower";

/** LLaMA-Factory's own: alpha is twice the rank where nothing is written. */
const LORA: AdapterNames = {
  rank: ["lora_rank", 8],
  alpha: ["lora_alpha", (rank) => 2 * rank],
  dropout: ["lora_dropout", 0],
  targets: ["lora_target", "all_linear"],
  saved: "additional_target",
  rslora: "use_rslora",
  kept: llamafactoryKept,
};

/** Options of all stages. */
const COMMON: Table = {
  stage: alike("what the workflow does"),
  finetuning_type: computed(
    "lora",
    (value, given) =>
      value === "full"
        ? { equal: "all weights train" }
        : value === "lora"
        ? { set: loraOf(given, LORA) }
        : { lacks: NO_ADAPTER },
    { tell: true },
  ),
  ...adapterEntries(LORA, (given) => given.value("finetuning_type") === "lora"),
  ...otherAdapters(
    "loraplus_lr_ratio loraplus_lr_embedding use_dora pissa_init create_new_adapter " +
      "resume_lora_training freeze_trainable_layers freeze_trainable_modules upcast_layernorm",
  ),
  ...LLAMAFACTORY_IMAGES,
  ...llamafactoryFreezing(LORA),
  adapter_name_or_path: lacking("write it as adapter of load_model, instead of lora", {
    at: [null],
    text: "a new adapter",
  }),
  enable_thinking: thinking(),
  ...each(
    "template default_system tool_format train_on_prompt mask_history buffer_size mix_strategy interleave_probs tokenized_path " +
      "dataset_dir",
    lacking("prompts stand in the file as they are to be; chat_template of load_model puts them into the folder's", {
      at: ["default", "empty", null, 0, false],
      text: "as the file has it",
    }),
  ),
  val_size: lacking("it takes these rows out of training; set splits of the step that loads them", {
    at: [0, null],
    text: "all rows train",
  }),
  streaming: lacking("rows are read at once", { at: [false], text: "rows are read at once" }),
  ...each(
    "plot_loss include_effective_tokens_per_second print_param_status swanlab_project use_swanlab compute_accuracy",
    alike("every metric is in the run's report"),
  ),
  ...each(
    "rope_scaling shift_attn mixture_of_depths use_unsloth use_unsloth_gc use_badam use_galore use_apollo use_adam_mini use_muon optim_muon use_llama_pro",
    lacking("the model and AdamW are as they are", { at: [null, false], text: "as they are" }),
  ),
  ...each(
    "disable_gradient_checkpointing use_cache low_cpu_mem_usage infer_backend vllm_maxlen ray_run_name ray_storage_path ray_num_workers resources_per_worker placement_strategy " +
      "overwrite_output_dir ddp_timeout pure_bf16",
    alike("memory and speed only"),
  ),
  ...each(
    "pref_ftx",
    lacking("give dpo_loss a list with sft, and loss_weights", { at: [0], text: "no cross-entropy of the chosen" }),
  ),
};

/** A table with what all stages share; cutoff_len takes the place of TRL's max_length. */
function withStage({ max_length: _, ...table }: Table, source: "load_prompts" | "load_preferences"): Table {
  return { ...table, ...COMMON, ...mediaFolder(source), max_samples: limited(source) };
}

/** Rows of each data set that train. */
const limited = (source: "load_prompts" | "load_preferences"): Entry =>
  computed(null, (value, given) => {
    if (typeof value !== "number") return value === null ? { equal: "all rows" } : noNumber(value);
    const sets = valueText(given.value("dataset_name")).split(",").length;
    return { set: { [`${source}.limit`]: value * sets }, note: sets > 1 ? `of each of ${sets} data sets` : "" };
  });

const cut = (target: Target): Entry =>
  computed(CUT, (value) => typeof value === "number" ? { set: { [target]: value } } : noNumber(value), {
    also: ["max_length"],
  });

/** The pref_loss of the stage dpo that is another method: orpo and simpo have no reference and are not here. */
export function otherPairLoss(options: readonly Written[]): string | null {
  const value = options.findLast(({ name }) => /^(?:pref|dpo)_loss$/.test(name))?.value;
  return typeof value === "string" && /^(?:orpo|simpo|kto_pair)$/.test(value) ? value : null;
}

/** pref_loss of the stage dpo. */
const PREF_LOSS: Readonly<Record<string, Settings>> = {
  sigmoid: {},
  hinge: { "train_preferences.dpo_loss": "hinge" },
  ipo: { "train_preferences.dpo_loss": "ipo" },
};

export const LLAMAFACTORY_DPO: Table = {
  ...withStage(preferenceTable(RATE, DEVICE), "load_preferences"),
  cutoff_len: cut("train_preferences.max_length"),
  pref_beta: { ...number("train_preferences.beta", 0.1), also: ["dpo_beta"] },
  pref_loss: computed("sigmoid", (value): Made => {
    const name = shownValue(value);
    if (!Object.hasOwn(PREF_LOSS, name)) return noSuch(value, "LLaMA-Factory", Object.keys(PREF_LOSS));
    return Object.keys(PREF_LOSS[name]!).length > 0 ? { set: PREF_LOSS[name]! } : { equal: "sigmoid" };
  }, { also: ["dpo_loss"] }),
  dpo_label_smoothing: computed(
    0,
    (value) =>
      typeof value !== "number"
        ? noNumber(value)
        : value === 0
        ? { equal: "no smoothing" }
        : { set: { "train_preferences.label_smoothing": value, "train_preferences.dpo_loss": "sigmoid_smoothed" } },
  ),
  ...each("simpo_gamma", alike("without effect unless pref_loss is simpo")),
};

export const LLAMAFACTORY_KTO: Table = {
  ...withStage(preferenceTable(RATE, DEVICE), "load_preferences"),
  ...rowBatchEntries("train_preferences", DEVICE, 1, KTO_LEAST),
  cutoff_len: cut("train_preferences.max_length"),
  pref_beta: number("train_preferences.beta", 0.1),
  kto_chosen_weight: number("train_preferences.desirable_weight", 1),
  kto_rejected_weight: number("train_preferences.undesirable_weight", 1),
};

export const LLAMAFACTORY_SFT: Table = {
  ...withStage(supervisedTable(RATE, DEVICE), "load_prompts"),
  cutoff_len: cut("fine_tune.max_length"),
  packing: lacking("rows are never joined: each has its own place in the batch", {
    at: [false, null],
    text: "rows are not joined",
  }, { also: ["neat_packing"] }),
  train_on_prompt: computed(
    false,
    (value) => value === true ? { set: { "fine_tune.loss_on": "all" } } : { equal: "the answer's tokens count" },
  ),
};

export const LLAMAFACTORY_RM: Table = {
  ...withStage(rewardModelTable(RATE, DEVICE), "load_preferences"),
  cutoff_len: cut("train_reward_model.max_length"),
};

const ROLLOUT: Pick<Entry, "default"> = { default: 1 };

/** The batch of stage ppo: one completion per prompt, ppo_epochs passes over ppo_buffer_size batches. */
export function llamafactoryBatch(given: Given): Settings {
  const one = {
    ...given,
    count: (name: string, otherwise: number) => name === "num_generations" ? 1 : given.count(name, otherwise),
  };
  const prompts = Number(batchSettings(one)["sample_groups.prompts_per_step"]) * given.count("ppo_buffer_size", 1);
  const minibatches = given.count("ppo_buffer_size", 1), epochs = given.count("ppo_epochs", 4);
  return {
    "sample_groups.prompts_per_step": prompts,
    "apply_update.minibatches": minibatches,
    "apply_update.updates_per_rollout": minibatches * epochs,
  };
}

const promptsOf = (given: Given) => Number(llamafactoryBatch(given)["sample_groups.prompts_per_step"]);

const batch = (value: Value, given: Given): Made =>
  typeof value === "number" ? { set: llamafactoryBatch(given) } : noNumber(value);

/** Stage ppo, which is TRL's former PPOTrainer with a value head on the policy. */
export const LLAMAFACTORY_PPO: Table = {
  ...modelAndData("load_prompts"),
  ...trainingArguments({
    ...TRL_COUNTING,
    updates: (given) =>
      given.count("max_steps", epochSteps(given, promptsOf(given))) *
      Number(llamafactoryBatch(given)["apply_update.updates_per_rollout"]),
    perStep: () => 1,
    rows: promptsOf,
  }, RATE),
  ...COMMON,
  ...mediaFolder("load_prompts"),
  max_samples: limited("load_prompts"),
  per_device_train_batch_size: computed(DEVICE, batch),
  gradient_accumulation_steps: computed(1, batch),
  ppo_buffer_size: computed(1, batch),
  ppo_epochs: computed(4, batch),
  cutoff_len: lacking("prompts are never cut; shorten those of the file"),
  max_source_length: lacking("prompts are never cut; shorten those of the file"),
  max_new_tokens: { ...number("sample_groups.max_new_tokens", 1024), also: ["max_target_length"] },
  temperature: number("sample_groups.temperature", 0.95),
  top_p: number("sample_groups.top_p", 0.7),
  top_k: number("sample_groups.top_k", 50),
  do_sample: computed(
    true,
    (value) => value === false ? { set: { "sample_groups.temperature": 0 } } : { equal: "it samples" },
  ),
  repetition_penalty: number("sample_groups.repetition_penalty", 1),
  length_penalty: alike("without effect on sampling"),
  reward_model: computed(undefined, (value, given) => ({
    set: {
      "load_reward_model.model": modelPlace(valueText(value), given),
      "score_rewards.rewards": [{ uses: "reward_model" }],
    },
    note: shownValue(value),
  }), { asText: true }),
  reward_model_type: choice("lora", {
    full: { equal: "a whole model" },
    lora: { equal: "export it as a whole model" },
    api: { lacks: "write a reward file with permissions.net" },
  }, "a whole model scores"),
  ppo_target: {
    ...lacking("the KL keeps its weight 0.2", { at: [6], text: "adaptive there: the weight starts at 0.2" }),
    default: 6,
    tell: true,
  },
  ppo_score_norm: lacking("scores are taken as they are", { at: [false], text: "as they are" }),
  ppo_whiten_rewards: lacking("rewards are taken as they are", { at: [false], text: "as they are" }),
  group_by_length: alike("without effect here"),
  num_generations: { ...ROLLOUT, make: () => ({ set: { "sample_groups.group_size": 1 } }) },
};

/** TRL's former PPOConfig: KL 0.2 in the reward, γ 1, λ 0.95, clip 0.2 on policy and values. */
export const LLAMAFACTORY_PPO_FIXED: Settings = {
  "compute_advantages.estimator": "gae",
  "compute_advantages.lambda": 0.95,
  "compute_advantages.kl_coef": 0.2,
  "compute_advantages.kl_per_token": true,
  "load_model.reference": "copy",
  "workflow.with_load_critic": true,
  "workflow.with_compute_values": true,
  "update_critic.value_clip": 0.2,
  "update_critic.learning_rate": RATE,
};
