/** Usual and largest learning rates. */
import assert from "node:assert/strict";
import { peakLearningRate, trainsSteps, usualRate } from "../../../../steps/diagnoses/view/learning_rate.ts";
import { viewOf } from "../synthetic.ts";

Deno.test("usualRate() is that of the run's model and kind of training, ten times larger for adapters", () => {
  assert.equal(usualRate(viewOf({})), 1e-6);
  assert.equal(usualRate(viewOf({ settings: { lora_rank: 8 } })), 1e-5);
  assert.equal(usualRate(viewOf({ algorithm: "sft" })), 2e-5);
  assert.equal(usualRate(viewOf({ own: true, settings: { parameters: 765_184 } })), 3e-4);
  assert.equal(usualRate(viewOf({ own: true, algorithm: "sft", settings: { parameters: 765_184 } })), 1e-3);
});

Deno.test("peakLearningRate() takes the printed maximum, trainsSteps() the span", () => {
  const view = viewOf({ steps: [10, 20, 30], columns: { learning_rate: [1e-6, 3e-6, 2e-6] } });
  assert.equal(peakLearningRate(view), 3e-6);
  assert.equal(trainsSteps(view), 30, "each record stands for ten updates");
  assert.equal(peakLearningRate(viewOf({ settings: { learning_rate: 0.1 } })), 0.1);
});
