import assert from "node:assert/strict";
import * as options from "../../../../steps/diagnoses/told/telling_options.ts";
import type { RunView, Setting } from "../../../../steps/diagnoses/view/run_view.ts";
import { viewOf } from "../synthetic.ts";

const shown = (
  find: (view: RunView) => readonly Setting[] | null,
  settings: Record<string, unknown>,
  algorithm = "grpo",
) => find(viewOf({ settings, algorithm }))?.map(({ name }) => name) ?? null;

Deno.test("nearGreedy() shows options that leave one token to choose from", () => {
  assert.deepEqual(shown(options.nearGreedy, { temperature: 0.01 }), ["temperature"]);
  assert.deepEqual(shown(options.nearGreedy, { temperature: 0, top_k: 1, top_p: 0.01 }), ["temperature", "top_k"]);
  assert.equal(shown(options.nearGreedy, { temperature: 1, top_k: 50, top_p: 0.95 }), null);
  assert.equal(shown(options.nearGreedy, { learning_rate: 0 }), null);
});

Deno.test("half() shows what computes in fp16, and takes neither bf16 nor what is off for it", () => {
  assert.deepEqual(shown(options.half, { fp16: true }), ["fp16"]);
  assert.deepEqual(shown(options.half, { torch_dtype: "float16" }), ["torch_dtype"]);
  assert.deepEqual(shown(options.half, { mixed_precision: "fp16" }), ["mixed_precision"]);
  for (const settings of [{ fp16: false }, { bf16: true }, { torch_dtype: "bfloat16" }, { mixed_precision: "bf16" }]) {
    assert.equal(shown(options.half, settings), null, JSON.stringify(settings));
  }
});

Deno.test("zeroBeta() shows a weight of the KL of exactly 0", () => {
  assert.deepEqual(shown(options.zeroBeta, { beta: 0 }, "dpo"), ["beta"]);
  assert.deepEqual(shown(options.zeroBeta, { beta: "0.0" }, "dpo"), ["beta"]);
  assert.equal(shown(options.zeroBeta, { beta: 0.1 }, "dpo"), null);
  assert.equal(shown(options.zeroBeta, {}, "dpo"), null);
});

Deno.test("highRate() shows a rate at which the kind of training breaks", () => {
  for (const [algorithm, high, usual] of [["grpo", 5e-5, 1e-6], ["dpo", 1e-4, 5e-7], ["sft", 1e-3, 2e-4]] as const) {
    assert.deepEqual(shown(options.highRate, { learning_rate: high }, algorithm), ["learning_rate"], algorithm);
    assert.equal(shown(options.highRate, { learning_rate: usual }, algorithm), null, algorithm);
  }
  assert.equal(shown(options.highRate, { beta: 1 }), null);
});

Deno.test("highRate() goes by what is trained: an adapter and a tiny model stand their usual rates", () => {
  const grpo = (settings: Readonly<Record<string, unknown>>) => shown(options.highRate, settings, "grpo");
  assert.equal(grpo({ learning_rate: 5e-5, lora_r: 32 }), null);
  assert.deepEqual(grpo({ learning_rate: 1e-4, lora_r: 32 }), ["learning_rate"]);
  assert.equal(shown(options.highRate, { learning_rate: 1e-3, model_name_or_path: "mine-5M" }, "sft"), null);
  assert.deepEqual(shown(options.highRate, { learning_rate: 1e-3, model_name_or_path: "mine-7B" }, "sft"), [
    "learning_rate",
  ]);
});

Deno.test("tinyRate() shows a rate at which nothing moves, and not one of 0", () => {
  assert.deepEqual(shown(options.tinyRate, { learning_rate: "1e-9" }), ["learning_rate"]);
  assert.deepEqual(shown(options.tinyRate, { learning_rate: 5e-8 }), ["learning_rate"]);
  assert.deepEqual(shown(options.tinyRate, { learning_rate: 5e-7, lora_r: 32 }), ["learning_rate"]);
  for (const learning_rate of [5.1e-8, 1e-6, 0, "auto"]) {
    assert.equal(shown(options.tinyRate, { learning_rate }), null, `${learning_rate}`);
  }
});

Deno.test("checkpointing() shows that gradient checkpointing is on", () => {
  assert.deepEqual(shown(options.checkpointing, { gradient_checkpointing: true }), ["gradient_checkpointing"]);
  for (const settings of [{ gradient_checkpointing: false }, {}]) {
    assert.equal(shown(options.checkpointing, settings), null);
  }
});
