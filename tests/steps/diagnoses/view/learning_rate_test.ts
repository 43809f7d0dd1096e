/** Usual and largest learning rates. */
import assert from "node:assert/strict";
import { peakLearningRate, trainsSteps, usualLearningRate } from "../../../../steps/diagnoses/view/learning_rate.ts";
import { viewOf } from "../synthetic.ts";

Deno.test("usualLearningRate() is ten times larger for adapters", () => {
  assert.equal(usualLearningRate(viewOf({})), 1e-6);
  assert.equal(usualLearningRate(viewOf({ settings: { lora_rank: 8 } })), 1e-6 * 10);
  assert.equal(usualLearningRate(viewOf({ algorithm: "sft" })), 2e-5);
});

Deno.test("peakLearningRate() takes the printed maximum, trainsSteps() the span", () => {
  const view = viewOf({ steps: [10, 20, 30], columns: { learning_rate: [1e-6, 3e-6, 2e-6] } });
  assert.equal(peakLearningRate(view), 3e-6);
  assert.equal(trainsSteps(view), 30, "each record stands for ten updates");
  assert.equal(peakLearningRate(viewOf({ settings: { learning_rate: 0.1 } })), 0.1);
});
