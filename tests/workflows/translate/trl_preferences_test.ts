import assert from "node:assert/strict";
import {
  DPO_FIXED,
  DPO_OPTIONS,
  dpoLosses,
  KTO_FIXED,
  KTO_OPTIONS,
  PREFERENCES_FIXED,
  preferenceTable,
  TRL_DPO,
  TRL_KTO,
} from "../../../workflows/translate/trl_preferences.ts";
import { stepSettings, told } from "./translated.ts";

Deno.test("KTO of TRL: beta 0.1, rows in their order, against a copy, a linear rate of 1e-6", () => {
  const { settings, classes } = told("trl", "kto", {
    per_device_train_batch_size: 16,
    max_steps: 30,
    beta: 0.1,
    desirable_weight: 1.33,
    precompute_ref_log_probs: true,
  });
  const { loss, batch_size, max_updates, learning_rate, schedule, max_length, desirable_weight, beta } = stepSettings(
    settings,
    "train_preferences",
  );
  assert.deepEqual([loss, batch_size, max_updates, learning_rate, schedule, max_length, desirable_weight, beta], [
    "kto",
    undefined,
    30,
    1e-6,
    "linear",
    1024,
    1.33,
    undefined,
  ]);
  assert.deepEqual([
    settings["load_model.reference"],
    settings["load_preferences.order"],
    settings["load_preferences.form"],
  ], ["copy", "file", "unpaired"]);
  assert.deepEqual(classes, {
    per_device_train_batch_size: "equal",
    max_steps: "translated",
    beta: "equal",
    desirable_weight: "translated",
    precompute_ref_log_probs: "equal",
  });
});

Deno.test("DPO of TRL: one loss or a list with weights, its own options only where they have effect", () => {
  const { settings, classes } = told("trl", "dpo", {
    loss_type: ["sigmoid", "sft"],
    loss_weights: [1, 0.5],
    f_divergence_type: "js_divergence",
    label_smoothing: 0.1,
    discopop_tau: 0.1,
  });
  const { dpo_loss, loss_weights, f_divergence, shuffle } = stepSettings(settings, "train_preferences");
  assert.deepEqual([dpo_loss, loss_weights, f_divergence, shuffle], [
    ["sigmoid", "sft"],
    [1, 0.5],
    "js_divergence",
    true,
  ]);
  // TRL's sigmoid ignores the smoothing too.
  assert.deepEqual([classes["label_smoothing"], classes["discopop_tau"]], ["not_supported", "equal"]);
  assert("lacks" in dpoLosses("orpo"));
  assert.deepEqual(dpoLosses("ipo"), { set: { "train_preferences.dpo_loss": "ipo" } });
});

Deno.test("tables of preferences have what their trainers share", () => {
  for (const table of [TRL_DPO, TRL_KTO, preferenceTable(1, 1)]) {
    assert(Object.hasOwn(table, "learning_rate") && Object.hasOwn(table, "max_length"));
  }
  assert.deepEqual([Object.hasOwn(DPO_OPTIONS, "ld_alpha"), Object.hasOwn(KTO_OPTIONS, "undesirable_weight")], [
    true,
    true,
  ]);
  for (const fixed of [DPO_FIXED, KTO_FIXED]) {
    assert.equal(fixed["load_model.reference"], PREFERENCES_FIXED["load_model.reference"]);
  }
});
