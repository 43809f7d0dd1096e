import assert from "node:assert/strict";
import { verlCritic } from "../../../workflows/translate/verl_critic.ts";
import { stepSettings, told } from "./translated.ts";

Deno.test("verl's critic follows the policy's batch and epochs, and is there only with gae", () => {
  const { wanted } = told("verl", "ppo", {
    "actor_rollout_ref.actor.ppo_epochs": 2,
    "critic.optim.lr": 1e-4,
    "critic.model.path": "org/m",
  });
  const { learning_rate, updates_per_rollout, minibatches } = stepSettings(wanted, "update_critic");
  assert.deepEqual([learning_rate, updates_per_rollout, minibatches, wanted["load_critic.model"]], [
    1e-4,
    8,
    4,
    "hf:org/m",
  ]);
  const grpo = told("verl", "ppo", { "algorithm.adv_estimator": "grpo", "critic.optim.lr": 1e-4 });
  assert.deepEqual([stepSettings(grpo.wanted, "update_critic"), grpo.classes["critic.optim.lr"]], [{}, "equal"]);
  assert(Object.hasOwn(verlCritic(() => ({})), "critic.cliprange_value"));
});
