/** Usual and largest learning rates. */
import assert from "node:assert/strict";
import {
  idleFrom,
  modelParameters,
  peakLearningRate,
  spentFrom,
  trainsSteps,
  usualRate,
  usualRateOfSize,
} from "../../../../steps/diagnoses/view/learning_rate.ts";
import { viewOf } from "../synthetic.ts";

Deno.test("usualRate() is that of the run's model and kind of training, ten times larger for adapters", () => {
  assert.equal(usualRate(viewOf({})), 1e-6);
  assert.equal(usualRate(viewOf({ settings: { lora_rank: 8 } })), 1e-5);
  assert.equal(usualRate(viewOf({ settings: { lora: "full", lora_rank: 8 } })), 1e-6, "all weights, whatever the rank");
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

Deno.test("modelParameters() are those that are written, else those that the model's name tells", () => {
  const named = (model: string, settings = {}) => modelParameters(viewOf({ settings: { model, ...settings } }));
  const cases = [
    ["Qwen/Qwen3-4B", 4e9],
    ["Qwen2.5-1.5B-Instruct", 1.5e9],
    ["SmolLM2-135M", 135e6],
    ["a transformer of 156k parameters", 156e3],
    ["0.5b", 5e8],
    ["trl-internal-testing/tiny-Qwen2ForCausalLM-2.5", 1e6],
    ["a tiny model", 1e6],
    ["my_tiny_model", 1e6],
    // Look-alikes: a word that begins with the letter, a version, one that only contains the word.
    ["gpt2", null],
    ["Phi-3-medium", null],
    ["mistral-7beta", null],
    ["destiny", null],
  ] as const;
  for (const [model, parameters] of cases) assert.equal(named(model), parameters, model);
  assert.equal(named("Qwen3-4B", { parameters: 765_184 }), 765_184);
  assert.equal(modelParameters(viewOf({ settings: { parameters: 2e6 } })), 2e6);
  assert.equal(modelParameters(viewOf({})), null);
});

Deno.test("usualRateOfSize() is larger where a log tells that its model is small, and never below the usual one", () => {
  const rate = (settings: Record<string, unknown>) => usualRateOfSize(viewOf({ settings }));
  assert.equal(rate({ model: "Qwen3-4B" }), 1e-6);
  assert.equal(rate({ model: "SmolLM2-135M" }), 1e-5);
  assert.equal(rate({ model: "156k" }), 3e-4);
  assert.equal(rate({ model: "tiny-Qwen2" }), 3e-4);
  assert.equal(rate({}), 1e-6);
  assert.equal(rate({ model: "Qwen3-4B", lora_rank: 8 }), 1e-5, "an adapter of a large model");
  assert.equal(usualRate(viewOf({ settings: { model: "156k" } })), 1e-6, "the other rules do not read names");
});

Deno.test("spentFrom() is where a rate is down to a fiftieth of its peak long before the end, and not a cosine's end", () => {
  const from = (rate: (at: number) => number) =>
    spentFrom(viewOf({ columns: { learning_rate: Array.from({ length: 100 }, (_, i) => 1e-5 * rate(i / 100)) } }));
  assert.equal(from((at) => Math.max(0.001, 1 - at / 0.3)), 30);
  assert.equal(from((at) => (1 + Math.cos(Math.PI * at)) / 2), null);
  assert.equal(from(() => 1), null);
});

Deno.test("peakLearningRate() is the configured one where the printed 0 is that of a run that learns", () => {
  const peak = (reward: number[]) =>
    peakLearningRate(
      viewOf({ settings: { learning_rate: 3e-4 }, columns: { learning_rate: Array(40).fill(0), reward } }),
    );
  assert.equal(peak(Array.from({ length: 40 }, (_, i) => i / 40)), 3e-4);
  assert.equal(peak(Array(40).fill(0.4)), 0);
});

Deno.test("idleFrom() and spentFrom() say nothing of rates of few digits; a constant rate that is cut off is whole", () => {
  const at = (rate: (at: number) => number) =>
    viewOf({ columns: { learning_rate: Array.from({ length: 100 }, (_, i) => rate(i / 100)) } });
  const rounded = at((t) => Math.round(3 * Math.max(0, 1 - t / 0.6)) / 1e4);
  assert.deepEqual([idleFrom(rounded), spentFrom(rounded)], [null, null]);
  const cut = at((t) => t < 0.4 ? 3e-4 : 0), steps = at((t) => t < 0.2 ? 1e-3 : t < 0.4 ? 1e-4 : 0);
  assert.deepEqual([idleFrom(cut), spentFrom(cut), idleFrom(steps)], [40, 40, 40]);
  const straight = at((t) => Math.max(0, Math.round(1e4 - 250 * 100 * t) / 1e8));
  assert.deepEqual([idleFrom(straight), spentFrom(straight)], [40, 40], "every record prints another rate");
});

Deno.test("idleFrom() wants ten records at a rate of 0, from before seven tenths of the run", () => {
  const from = (records: number, zeros: number) =>
    idleFrom(
      viewOf({ columns: { learning_rate: Array.from({ length: records }, (_, i) => i < records - zeros ? 1e-6 : 0) } }),
    );
  assert.deepEqual([from(29, 9), from(30, 10), from(40, 11)], [null, 20, null]);
});
