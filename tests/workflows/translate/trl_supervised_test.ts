import assert from "node:assert/strict";
import {
  REWARD_FIXED,
  rewardModelTable,
  SFT_FIXED,
  supervisedTable,
  TRL_REWARD,
  TRL_SFT,
} from "../../../workflows/translate/trl_supervised.ts";
import { stepSettings, told } from "./translated.ts";

Deno.test("SFT of TRL: the batch, no warm-up unless said, a linear rate of 2e-5", () => {
  const { wanted } = told("trl", "sft", {
    per_device_train_batch_size: 16,
    gradient_accumulation_steps: 2,
    max_steps: 30,
    assistant_only_loss: true,
    packing: true,
  });
  const { batch_size, max_updates, warmup_updates, learning_rate, schedule, loss_on, order } = stepSettings(
    wanted,
    "fine_tune",
  );
  assert.deepEqual([batch_size, max_updates, warmup_updates, learning_rate, schedule, loss_on, order], [
    32,
    30,
    0,
    2e-5,
    "linear",
    "assistant",
    "table",
  ]);
  assert.equal(told("trl", "sft", { packing: true, max_length: 512 }).settings["fine_tune.packing"], 512);
});

Deno.test("the reward model of TRL: pairs, centred scores", () => {
  const { settings } = told("trl", "reward", { center_rewards_coefficient: 0.01, max_steps: 9 });
  const { center_rewards, max_updates, warmup_updates, learning_rate } = stepSettings(settings, "train_reward_model");
  assert.deepEqual([center_rewards, max_updates, warmup_updates, learning_rate], [0.01, 9, 0, 1e-4]);
  const cut = (system: "trl" | "openrlhf" | "llamafactory", options = {}) =>
    told(system, "reward", options).wanted["train_reward_model.max_length"];
  assert.deepEqual([cut("trl"), cut("trl", { max_length: 256 }), cut("trl", { max_length: null })], [
    1024,
    256,
    undefined,
  ]);
  assert.deepEqual([cut("openrlhf", { max_len: 64 }), cut("llamafactory", { cutoff_len: 128 })], [64, 128]);
  for (const table of [TRL_SFT, TRL_REWARD, supervisedTable(1, 1), rewardModelTable(1, 1)]) {
    assert(Object.hasOwn(table, "max_length"));
  }
  assert.deepEqual([SFT_FIXED["fine_tune.order"], REWARD_FIXED["load_preferences.form"]], ["table", "pairs"]);
});
