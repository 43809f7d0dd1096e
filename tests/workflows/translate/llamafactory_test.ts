import assert from "node:assert/strict";
import * as factory from "../../../workflows/translate/llamafactory.ts";
import { stepSettings, told } from "./translated.ts";

Deno.test("LLaMA-Factory's DPO and KTO by their own names, with HF's rate of 5e-5", () => {
  const { wanted, classes } = told("llamafactory", "dpo", {
    stage: "dpo",
    pref_beta: 0.2,
    pref_loss: "hinge",
    cutoff_len: 512,
    finetuning_type: "lora",
    template: "qwen",
  });
  const { beta, dpo_loss, max_length, learning_rate } = stepSettings(wanted, "train_preferences");
  assert.deepEqual([beta, dpo_loss, max_length, learning_rate], [0.2, "hinge", 512, 5e-5]);
  assert.deepEqual([classes["stage"], classes["finetuning_type"], classes["template"]], [
    "equal",
    "translated",
    "not_supported",
  ]);
  assert.equal(told("llamafactory", "dpo", { pref_loss: "orpo" }).classes["pref_loss"], "not_supported");
  assert.equal(
    told("llamafactory", "kto", { kto_chosen_weight: 1.5 }).wanted["train_preferences.desirable_weight"],
    1.5,
  );
});

Deno.test("LLaMA-Factory's PPO: one completion per prompt, four passes, a critic, KL in the reward", () => {
  const { wanted } = told("llamafactory", "ppo", {
    per_device_train_batch_size: 4,
    reward_model: "saves/rm",
    max_new_tokens: 64,
  });
  const { updates_per_rollout, minibatches } = stepSettings(wanted, "apply_update");
  assert.deepEqual([
    wanted["sample_groups.prompts_per_step"],
    wanted["sample_groups.group_size"],
    updates_per_rollout,
    minibatches,
  ], [4, 1, 4, undefined]);
  assert.deepEqual([
    wanted["compute_advantages.lambda"],
    wanted["compute_advantages.kl_coef"],
    wanted["load_reward_model.model"],
  ], [0.95, 0.2, "./models/rm"]);
  assert.equal(factory.LLAMAFACTORY_PPO_FIXED["workflow.with_load_critic"], true);
});

Deno.test("LLaMA-Factory's SFT and reward model", () => {
  assert.equal(told("llamafactory", "sft", { train_on_prompt: true }).wanted["fine_tune.loss_on"], "all");
  assert.equal(
    told("llamafactory", "reward", { learning_rate: 1e-4 }).wanted["train_reward_model.learning_rate"],
    1e-4,
  );
  for (
    const table of [
      factory.LLAMAFACTORY_DPO,
      factory.LLAMAFACTORY_KTO,
      factory.LLAMAFACTORY_PPO,
      factory.LLAMAFACTORY_RM,
      factory.LLAMAFACTORY_SFT,
    ]
  ) assert(Object.hasOwn(table, "stage"));
  const given = {
    value: () => null,
    number: (_: string, n: number) => n,
    count: (_: string, n: number) => n,
    isWritten: () => false,
  };
  assert.equal(factory.llamafactoryBatch(given)["sample_groups.prompts_per_step"], 8);
});

Deno.test("LLaMA-Factory's max_samples is a limit of each data set", () => {
  const { wanted } = told("llamafactory", "sft", { dataset: "a,b", max_samples: 1000 });
  assert.equal(wanted["load_prompts.limit"], 2000);
  assert.equal(told("llamafactory", "dpo", { max_samples: 9 }).wanted["load_preferences.limit"], 9);
});
