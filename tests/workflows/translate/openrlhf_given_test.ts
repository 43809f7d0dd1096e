import assert from "node:assert/strict";
import * as given from "../../../workflows/translate/openrlhf_given.ts";
import { stepSettings, told } from "./translated.ts";

const dpo = (options: Record<string, number | boolean | string>) =>
  stepSettings(told("openrlhf", "dpo", options).wanted, "train_preferences");

Deno.test("OpenRLHF's DPO: smoothing and ipo are other formulas than TRL's, the chosen's cross-entropy a second loss", () => {
  assert.deepEqual([dpo({})["dpo_loss"], dpo({})["batch_size"], dpo({})["max_length"], dpo({})["learning_rate"]], [
    undefined,
    128,
    512,
    1e-5,
  ]);
  assert.deepEqual([dpo({ "model.ipo_enable": true })["dpo_loss"], dpo({ ipo: true })["dpo_loss"]], [
    "ipo_sum",
    "ipo_sum",
  ]);
  assert.deepEqual([dpo({ label_smoothing: 0.1 })["dpo_loss"], dpo({ label_smoothing: 0.1 })["label_smoothing"]], [
    "sigmoid_smoothed",
    0.1,
  ]);
  const { dpo_loss, loss_weights } = dpo({ nll_loss_coef: 0.2 });
  assert.deepEqual([dpo_loss, loss_weights], [["sigmoid", "sft"], [1, 0.2]]);
});

Deno.test("OpenRLHF's KTO: beta 0.01, the vanilla loss as it is, unsafe", () => {
  const kto = (options: Record<string, boolean>) =>
    stepSettings(told("openrlhf", "kto", options).settings, "train_preferences");
  assert.deepEqual([kto({})["loss"], kto({})["beta"]], ["kto", 0.01]);
  assert.deepEqual([kto({ vanilla_loss: true })["loss"], kto({ vanilla_loss: true })["unsafe"]], ["kto_vanilla", true]);
});

Deno.test("OpenRLHF's SFT and reward model name their columns", () => {
  assert.equal(told("openrlhf", "sft", { input_key: "q", output_key: "a" }).wanted["load_prompts.answer_column"], "a");
  assert.equal(told("openrlhf", "reward", { chosen_key: "c" }).wanted["load_preferences.chosen_column"], "c");
  for (const table of [given.OPENRLHF_DPO, given.OPENRLHF_KTO, given.OPENRLHF_SFT, given.OPENRLHF_RM]) {
    assert(Object.hasOwn(table, "adam.lr"));
  }
  assert.deepEqual([
    given.OPENRLHF_DPO_FIXED["train_preferences.loss"],
    given.OPENRLHF_KTO_FIXED["load_preferences.form"],
  ], ["dpo", "unpaired"]);
});
