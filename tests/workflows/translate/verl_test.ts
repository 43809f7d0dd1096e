import assert from "node:assert/strict";
import { VERL_PPO, verlBatch } from "../../../workflows/translate/verl.ts";
import { stepSettings, told } from "./translated.ts";

const A = "actor_rollout_ref.actor.";

Deno.test("verl counts both batches in prompts: minibatches and passes", () => {
  const { wanted } = told("verl", "ppo", {
    "data.train_batch_size": 512,
    [`${A}ppo_mini_batch_size`]: 128,
    [`${A}ppo_epochs`]: 2,
    "actor_rollout_ref.rollout.n": 5,
  });
  const { minibatches, updates_per_rollout } = stepSettings(wanted, "apply_update");
  assert.deepEqual([
    minibatches,
    updates_per_rollout,
    wanted["sample_groups.group_size"],
    wanted["sample_groups.prompts_per_step"],
  ], [4, 8, 5, 512]);
  const odd = told("verl", "ppo", { "data.train_batch_size": 100, [`${A}ppo_mini_batch_size`]: 64 });
  assert.match(odd.texts[`${A}ppo_mini_batch_size`]!, /no whole number/);
  assert.equal(
    verlBatch({
      value: () => null,
      number: (_, n) => n,
      count: (_, n) => n,
      isWritten: () => false,
    })["apply_update.minibatches"],
    4,
  );
});

Deno.test("verl's defaults are set where ours differ: weight decay, betas, sizes", () => {
  const { wanted } = told("verl", "ppo", {});
  const { weight_decay, beta2, schedule, learning_rate } = stepSettings(wanted, "apply_update");
  assert.deepEqual([weight_decay, beta2, schedule, learning_rate], [0.01, 0.999, undefined, 1e-6]);
  assert.deepEqual([wanted["sample_groups.group_size"], wanted["sample_groups.max_new_tokens"]], [1, 512]);
  assert.equal(wanted["compute_advantages.preset"], "verl/gae");
});

Deno.test("verl's optimizer: warm-up by steps or share, cosine with its floor, the gradient's bound by both names", () => {
  const { wanted } = told("verl", "ppo", {
    [`${A}optim.lr_scheduler_type`]: "cosine",
    [`${A}optim.min_lr_ratio`]: 0.1,
    [`${A}optim.lr_warmup_steps_ratio`]: 0.1,
    [`${A}grad_clip`]: 0.5,
    "trainer.total_training_steps": 50,
  });
  const { schedule, schedule_floor, schedule_updates, warmup_updates, max_grad_norm } = stepSettings(
    wanted,
    "apply_update",
  );
  assert.deepEqual([schedule, schedule_floor, schedule_updates, warmup_updates, max_grad_norm], [
    "cosine",
    0.1,
    200,
    20,
    0.5,
  ]);
  assert.equal(wanted["workflow.train_steps"], 50);
  const steps = told("verl", "ppo", { [`${A}optim.lr_warmup_steps`]: 10, [`${A}ppo_mini_batch_size`]: 32 });
  assert.equal(steps.wanted["apply_update.warmup_updates"], 320, "10 train steps of 1024 ÷ 32 updates");
  assert(Object.keys(VERL_PPO).length > 200);
});
