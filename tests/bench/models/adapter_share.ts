/** What an adapter's gradient and moments take of memory beside those of all weights: the arrays that an update leaves. @module */
import { LanguageModel } from "../../../gpu/language_model.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { numbersOf } from "../../../gpu/ort/numbers.ts";
import { openRuntime, type Runtime } from "../../../gpu/session.ts";
import { adamw, ON_POLICY } from "../clipped_update.ts";
import { rankEight } from "./adapted_model.ts";
import type { Figure, TrialContext } from "./figure.ts";

const MOST_OF_FULL = 5;

/** 9.5 M parameters with 258 tokens. */
const CONFIG = {
  model_type: "qwen2",
  vocab_size: 258,
  hidden_size: 320,
  intermediate_size: 1024,
  num_hidden_layers: 8,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  max_position_embeddings: 512,
  tie_word_embeddings: true,
};

/** Bytes of the arrays that hold gradient and moments once a model was trained by one update. */
export async function trainedBytes(runtime: Runtime, config: Readonly<Record<string, unknown>>, lora: boolean) {
  const whole = LanguageModel.create(runtime, modelConfig(config)), model = lora ? rankEight(whole) : whole;
  let state = 1;
  const random = () => (state = Math.imul(state, 1664525) + 1013904223 | 0) / 2 ** 35;
  model.weights.initialize((count) => Float32Array.from({ length: count }, random));
  const ids = Int32Array.of(1, 2, 3), sequences = { prompts: [ids], group: 2, completions: [ids, ids] };
  await model.accumulateGradient({ ...sequences, inputs: { advantages: [1, -1] } }, ON_POLICY);
  await model.applyUpdate(adamw(1e-4));
  const moments = (await model.optimizer()).moments.save();
  const arrays = [numbersOf(runtime, model.weights.gradients), ...moments.values()];
  const bytes = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  model.release();
  return bytes;
}

export async function adapterShare({ threads }: TrialContext): Promise<Figure[]> {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads });
  const own = await trainedBytes(runtime, CONFIG, true), full = await trainedBytes(runtime, CONFIG, false);
  runtime.release();
  return [
    { what: "LoRA on 9.5 M: gradient and moments", value: own / 1e6, unit: "MB" },
    { what: "the same of full training", value: full / 1e6, unit: "MB" },
    { what: "LoRA's of full training's", value: 100 * own / full, unit: "%", most: MOST_OF_FULL },
  ];
}
