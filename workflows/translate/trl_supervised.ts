/** TRL's SFT and its reward trainer: their options as those of fine_tune and train_reward_model. @module */
import { alike, computed, each, lacking, noNumber } from "./entries.ts";
import { countingOf, ROW_OPTIONS, rowBatchEntries, rowEpochs, rowEvaluation, rowLength } from "./given_rows.ts";
import { trainingArguments } from "./hugging_face.ts";
import type { Settings, Table } from "./table.ts";
import { modelAndData } from "./trl_model.ts";

const ALL = { train: 1, validation: 0, held_out: 0 };

/** Options of SFT, with `rate` and the rows of a device. */
export function supervisedTable(rate: number, device: number, accumulation = 1): Table {
  return {
    ...modelAndData("load_prompts"),
    ...trainingArguments(countingOf("fine_tune"), rate),
    ...ROW_OPTIONS,
    ...rowBatchEntries("fine_tune", device, accumulation),
    ...rowEpochs("fine_tune"),
    max_length: rowLength("fine_tune.max_length", 1024),
    completion_only_loss: computed(
      null,
      (value) =>
        value === false
          ? { set: { "fine_tune.loss_on": "all" } }
          : { equal: "completions of rows with a prompt count" },
    ),
    assistant_only_loss: computed(
      false,
      (value) =>
        value === true ? { set: { "fine_tune.loss_on": "assistant" } } : { equal: "as completion_only_loss says" },
      { also: ["train_on_prompt"] },
    ),
    packing: computed(
      false,
      (value, given) =>
        value === true
          ? {
            set: { "fine_tune.packing": given.number("max_length", 1024) },
            note: "rows in one do not see each other",
          }
          : { equal: "rows are not joined" },
    ),
    ...each("packing_strategy eval_packing", alike("without effect unless packing")),
    dataset_text_field: computed(
      undefined,
      () => ({ lacks: "rows have a prompt and an answer: fill both columns, or set prompt_column and answer_column" }),
    ),
    loss_type: computed(
      "nll",
      (value) => value === "nll" ? { equal: "the cross-entropy" } : { lacks: "the loss is the cross-entropy" },
    ),
    ...each(
      "num_train_epochs_per_stage use_dft enable_dft_loss",
      lacking("the loss is the cross-entropy", { at: [false, null], text: "the cross-entropy" }),
    ),
    pad_token: alike("the tokenizer of the model's folder"),
    response_template: lacking("the row's answer counts, whatever stands before it"),
    instruction_template: lacking("the row's answer counts, whatever stands before it"),
  };
}

export const TRL_SFT: Table = supervisedTable(2e-5, 8);

/** Fixed of SFT: rows in the file's order, no warm-up of its own. */
export const SFT_FIXED: Settings = {
  "load_prompts.splits": ALL,
  "fine_tune.warmup_updates": 0,
  "fine_tune.order": "table",
};

/** Options of a pairwise reward model. */
export function rewardModelTable(rate: number, device: number, accumulation = 1): Table {
  return {
    ...modelAndData("load_preferences"),
    ...trainingArguments(countingOf("train_reward_model"), rate),
    ...ROW_OPTIONS,
    ...rowBatchEntries("train_reward_model", device, accumulation),
    ...rowEpochs("train_reward_model"),
    ...rowEvaluation("train_reward_model"),
    max_length: rowLength("train_reward_model.max_length", 1024, "TRL leaves longer pairs out; here they are cut off"),
    center_rewards_coefficient: computed(
      null,
      (value) =>
        value === null
          ? { equal: "scores are not held near 0" }
          : typeof value === "number"
          ? { set: { "train_reward_model.center_rewards": value } }
          : noNumber(value),
    ),
  };
}

export const TRL_REWARD: Table = rewardModelTable(1e-4, 8);

export const REWARD_FIXED: Settings = {
  "load_preferences.splits": ALL,
  "load_preferences.form": "pairs",
  "train_reward_model.warmup_updates": 0,
};
