/** The one table of usual learning rates. */
import assert from "node:assert/strict";
import {
  DESTROYS,
  isBreakingRate,
  isIdleRate,
  isRateOfAdapter,
  isRateOfWhole,
  usualLearningRate,
  usualRange,
  usualStepRate,
} from "../../data/usual_learning_rate.ts";

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

const update = { parameters: null, supervised: false }, supervised = { parameters: null, supervised: true };
const TINY = { parameters: 5e6 };

Deno.test("isBreakingRate() begins at fifty times the usual rate, of adapters at ten, or as often as is asked, of small models at theirs", () => {
  const BOUNDS: readonly (readonly [training: Parameters<typeof isBreakingRate>[1], bound: number])[] = [
    [update, 5e-5],
    [supervised, 1e-3],
    [{ ...update, adapter: true }, 1e-4],
    [{ ...supervised, adapter: true }, 2e-3],
    [{ ...update, ...TINY }, 1.5e-2],
    [{ ...supervised, ...TINY }, 5e-2],
  ];
  for (const [training, bound] of BOUNDS) {
    assert.deepEqual([0.99 * bound, bound].map((rate) => isBreakingRate(rate, training)), [false, true], `${bound}`);
  }
  assert.deepEqual([9.9e-5, 1e-4].map((rate) => isBreakingRate(rate, update, DESTROYS)), [false, true]);
});

Deno.test("isIdleRate() ends at a twentieth of the usual rate, and 0 is none", () => {
  assert.deepEqual([0, 1e-9, 5e-8, 5.1e-8].map((rate) => isIdleRate(rate, update)), [false, true, true, false]);
  assert.deepEqual([5e-7, 5.1e-7].map((rate) => isIdleRate(rate, { ...update, adapter: true })), [true, false]);
});

Deno.test("isRateOfWhole() and isRateOfAdapter() tell rates that were meant for the other", () => {
  assert.deepEqual([1e-6, 1.1e-6].map((rate) => isRateOfWhole(rate, false)), [true, false]);
  assert.deepEqual([5e-6, 5.1e-6].map((rate) => isRateOfWhole(rate, true)), [true, false]);
  assert.deepEqual([2.9e-5, 3e-5].map((rate) => isRateOfAdapter(rate, false)), [false, true]);
  assert.deepEqual([9.9e-5, 1e-4].map((rate) => isRateOfAdapter(rate, true)), [false, true]);
});
