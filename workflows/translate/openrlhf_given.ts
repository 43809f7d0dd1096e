/** OpenRLHF's trainers of given texts: train_dpo, train_kto, train_sft, train_rm. @module */
import { alike, computed, each, lacking, noNumber, number } from "./entries.ts";
import {
  OPENRLHF_MACHINE,
  openrlhfData,
  openrlhfEpochs,
  openrlhfLength,
  openrlhfModel,
  openrlhfOptimizer,
} from "./openrlhf.ts";
import type { Settings, Table } from "./table.ts";
import { PREFERENCES_FIXED } from "./trl_preferences.ts";

type GivenStep = "train_preferences" | "fine_tune" | "train_reward_model";

/** Options of all four; OpenRLHF counts a batch over all processes. */
function base(step: GivenStep, source: "load_prompts" | "load_preferences", rate: number, size: number): Table {
  const run = { target: `${step}.max_updates`, batch: ["train.batch_size", size], epochs: "train.max_epochs" } as const;
  return {
    ...OPENRLHF_MACHINE,
    ...openrlhfData(source, ["dataset"]),
    ...openrlhfOptimizer({
      step,
      prefix: "",
      rate,
      also: ["learning_rate"],
      updates: (given) => openrlhfLength(given, run),
    }),
    "model.model_name_or_path": openrlhfModel("load_model.model", ["pretrain"]),
    "ref.model_name_or_path": {
      ...lacking("the reference is a copy of the policy; put a folder into load_model: reference", {
        at: [null],
        text: "a copy",
      }),
      also: ["ref_pretrain"],
    },
    "train.batch_size": computed(
      size,
      (value) => typeof value === "number" ? { set: { [`${step}.batch_size`]: value } } : noNumber(value),
      { also: ["train_batch_size"] },
    ),
    "train.max_epochs": openrlhfEpochs(run, ["max_epochs"]),
    "data.max_len": computed(
      step === "fine_tune" ? 2048 : 512,
      (value) => typeof value === "number" ? { set: { [`${step}.max_length`]: value } } : noNumber(value),
      { also: ["max_len"] },
    ),
    ...each(
      "data.multiturn multiturn data.tokenizer_chat_template",
      lacking("rows have one prompt and one completion", { at: [false, null], text: "one turn" }),
    ),
    ...each("pretrain_mode", lacking("the answer's tokens count", { at: [false], text: "the answer's tokens count" })),
  };
}

const column = (name: string, also: string, fallback: string | null) =>
  computed(fallback, (value) => value === null ? { equal: "as the file has it" } : { set: { [name]: value } }, {
    also: [also],
  });

const BETA = { default: 0.1, also: ["beta"] } as const;

export const OPENRLHF_DPO: Table = {
  ...base("train_preferences", "load_preferences", 1e-5, 128),
  "model.beta": { ...number("train_preferences.beta", 0.1), ...BETA },
  "model.ipo_enable": computed(false, (value, given) => ({
    set: {
      "train_preferences.dpo_loss": value === true
        ? "ipo_sum"
        : given.number("model.label_smoothing", 0) > 0
        ? "sigmoid_smoothed"
        : "sigmoid",
    },
  }), { also: ["ipo"] }),
  "model.label_smoothing": computed(0, (value, given) => {
    if (typeof value !== "number") return noNumber(value);
    if (value === 0 || given.value("model.ipo_enable") === true) return { equal: "no smoothing" };
    return { set: { "train_preferences.label_smoothing": value, "train_preferences.dpo_loss": "sigmoid_smoothed" } };
  }, { also: ["label_smoothing"] }),
  "model.nll_loss_coef": computed(0, (value, given) => {
    if (typeof value !== "number" || value === 0) return { equal: "no cross-entropy of the chosen" };
    const own = given.value("model.ipo_enable") === true
      ? "ipo_sum"
      : given.number("model.label_smoothing", 0) > 0
      ? "sigmoid_smoothed"
      : "sigmoid";
    return { set: { "train_preferences.dpo_loss": [own, "sft"], "train_preferences.loss_weights": [1, value] } };
  }, { also: ["nll_loss_coef"] }),
  "data.prompt_key": column("load_preferences.prompt_column", "prompt_key", null),
  "data.chosen_key": column("load_preferences.chosen_column", "chosen_key", "chosen"),
  "data.rejected_key": column("load_preferences.rejected_column", "rejected_key", "rejected"),
};

export const OPENRLHF_DPO_FIXED: Settings = {
  ...PREFERENCES_FIXED,
  "train_preferences.loss": "dpo",
  "load_preferences.form": "pairs",
  "train_preferences.shuffle": true,
};

/** Read at v0.9.5; train_kto is gone since v0.9.6. */
export const OPENRLHF_KTO: Table = {
  ...base("train_preferences", "load_preferences", 1e-5, 128),
  "model.beta": { ...number("train_preferences.beta", 0.01), default: 0.01, also: ["beta"] },
  vanilla_loss: computed(false, (value) => ({
    set: value === true
      ? { "train_preferences.loss": "kto_vanilla", "train_preferences.unsafe": true }
      : { "train_preferences.loss": "kto" },
    note: value === true ? "without the KL detached: it may diverge" : "",
  })),
  desirable_loss_weight: number("train_preferences.desirable_weight", 1),
  undesirable_loss_weight: number("train_preferences.undesirable_weight", 1),
  "data.prompt_key": column("load_preferences.prompt_column", "input_key", null),
  "data.output_key": column("load_preferences.completion_column", "output_key", null),
  "data.label_key": column("load_preferences.label_column", "label_key", null),
  unpaired_preference: alike("labelled completions"),
};

export const OPENRLHF_KTO_FIXED: Settings = {
  ...PREFERENCES_FIXED,
  "load_preferences.form": "unpaired",
  "load_preferences.order": "file",
};

export const OPENRLHF_SFT: Table = {
  ...base("fine_tune", "load_prompts", 5e-6, 128),
  "data.input_key": column("load_prompts.prompt_column", "input_key", "input"),
  "data.output_key": column("load_prompts.answer_column", "output_key", null),
};

export const OPENRLHF_RM: Table = {
  ...base("train_reward_model", "load_preferences", 9e-6, 128),
  "data.prompt_key": column("load_preferences.prompt_column", "prompt_key", null),
  "data.chosen_key": column("load_preferences.chosen_column", "chosen_key", "chosen"),
  "data.rejected_key": column("load_preferences.rejected_column", "rejected_key", "rejected"),
  "model.loss_type": computed(
    "sigmoid",
    (value) => value === "sigmoid" ? { equal: "Bradley-Terry" } : { lacks: "the loss is Bradley-Terry's, sigmoid" },
    { also: ["loss"] },
  ),
  ...each(
    "model.margin_loss_enable margin_loss compute_fp32_loss model.compute_fp32_loss_enable",
    lacking("the margin is one number, margin of train_reward_model", { at: [false], text: "no margin of rows" }),
  ),
};
