/** The one table of usual learning rates. */
import assert from "node:assert/strict";
import { usualLearningRate, usualRange, usualStepRate } from "../../data/usual_learning_rate.ts";

Deno.test("usualLearningRate() falls with the model's size and is larger for supervised learning and adapters", () => {
  const rate = (parameters: number | null, supervised = false) => usualLearningRate({ parameters, supervised });
  assert.deepEqual([765_184, 1e7, 3e8, 7e9, null].map((n) => rate(n)), [3e-4, 1e-5, 1e-6, 1e-6, 1e-6]);
  assert.deepEqual([765_184, 1e7, 3e8, null].map((n) => rate(n, true)), [1e-3, 1e-4, 2e-5, 2e-5]);
  assert.equal(usualLearningRate({ parameters: null, supervised: false, adapter: true }), 1e-5);
});

Deno.test("usualStepRate() is that of what the step learns from, and an adapter's only where the policy trains", () => {
  const rate = (step: string, adapter = false) => usualStepRate(step, { parameters: 765_184, adapter });
  assert.deepEqual(["apply_update", "train_preferences"].map((step) => rate(step)), [3e-4, 3e-4]);
  assert.deepEqual(["fine_tune", "train_reward_model", "update_critic"].map((step) => rate(step)), [1e-3, 1e-3, 1e-3]);
  assert.deepEqual(["train_preferences", "fine_tune"].map((step) => rate(step, true)), [3e-3, 1e-2]);
  assert.deepEqual(["train_reward_model", "update_critic"].map((step) => rate(step, true)), [1e-3, 1e-3]);
});

Deno.test("usualRange() is from large models to the smallest", () => {
  assert.deepEqual(usualRange(false), [1e-6, 3e-4]);
  assert.deepEqual(usualRange(true), [1e-5, 3e-3]);
});
