import assert from "node:assert/strict";
import { OPENRLHF_PPO, openrlhfBatch } from "../../../workflows/translate/openrlhf_ppo.ts";
import { stepSettings, told } from "./translated.ts";

Deno.test("OpenRLHF's batches: prompts of a rollout, completions of an update, by both names", () => {
  for (
    const names of [["rollout_batch_size", "n_samples_per_prompt", "train_batch_size", "max_epochs"], [
      "rollout.batch_size",
      "rollout.n_samples_per_prompt",
      "train.batch_size",
      "train.max_epochs",
    ]]
  ) {
    const values = [128, 4, 128, 2],
      { wanted } = told("openrlhf", "ppo", Object.fromEntries(names.map((name, i) => [name, values[i]!])));
    const { minibatches, updates_per_rollout } = stepSettings(wanted, "apply_update");
    assert.deepEqual([
      wanted["sample_groups.prompts_per_step"],
      wanted["sample_groups.group_size"],
      minibatches,
      updates_per_rollout,
    ], [128, 4, 4, 8]);
  }
  assert.equal(
    openrlhfBatch({
      value: () => null,
      number: (_, n) => n,
      count: (_, n) => n,
      isWritten: () => false,
    })["apply_update.minibatches"],
    8,
  );
});

Deno.test("OpenRLHF's critic makes as many updates of a rollout as the policy, and none without gae", () => {
  const options = { rollout_batch_size: 128, n_samples_per_prompt: 4, train_batch_size: 128, max_epochs: 2 };
  const critic = (more = {}) => stepSettings(told("openrlhf", "ppo", { ...options, ...more }).wanted, "update_critic");
  assert.deepEqual([critic()["minibatches"], critic()["updates_per_rollout"]], [4, 8]);
  assert.deepEqual(critic({ advantage_estimator: "rloo" }), {});
});

Deno.test("OpenRLHF's KL: k1 in the reward at 0.01, in the loss with use_loss, none at 0", () => {
  const kl = (options: Record<string, string | number | boolean>) => {
    const { wanted } = told("openrlhf", "ppo", options);
    return [
      wanted["compute_advantages.kl_coef"],
      wanted["apply_update.kl_coef"],
      wanted["apply_update.kl_estimator"] ?? "k3",
      wanted["load_model.reference"],
    ];
  };
  assert.deepEqual(kl({}), [0.01, undefined, "k3", "copy"]);
  assert.deepEqual(kl({ init_kl_coef: 1e-3, use_kl_loss: true, kl_estimator: "k3" }), [undefined, 1e-3, "k3", "copy"]);
  assert.deepEqual(kl({ "algo.kl.init_coef": 0 }), [undefined, undefined, "k3", undefined]);
});

Deno.test("OpenRLHF's estimators, bounds and losses by their names; a critic only with gae", () => {
  const { wanted, classes } = told("openrlhf", "ppo", {
    advantage_estimator: "group_norm",
    eps_clip_low_high: [0.2, 0.28],
    "actor.dual_clip": 3,
    "critic.value_clip": 0.2,
    gamma: 0.9,
    "actor.policy_loss_type": "gspo",
    no_advantage_std_norm: true,
  });
  const { clip_low, clip_high, ratio_cap, preset } = stepSettings(wanted, "apply_update");
  assert.deepEqual([wanted["compute_advantages.preset"], clip_low, clip_high, ratio_cap, preset], [
    "openrlhf/group_norm",
    0.2,
    0.28,
    3,
    "openrlhf/gspo",
  ]);
  assert.deepEqual([classes["critic.value_clip"], classes["gamma"], classes["no_advantage_std_norm"]], [
    "equal",
    "equal",
    "equal",
  ]);
  assert.equal(told("openrlhf", "ppo", {}).wanted["update_critic.learning_rate"], 9e-6);
  assert(Object.hasOwn(OPENRLHF_PPO, "algo.dynamic_filtering_range"));
});
