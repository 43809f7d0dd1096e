import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";

const VOCABULARY = 258;

/** Parameters by hand: embedding, then per layer attention, three matrices, two norms, and the last norm. */
function size(d: number, f: number, kv: number, layers: number, extra: number): number {
  return VOCABULARY * d + layers * (2 * d * d + 2 * d * kv + 3 * d * f + 2 * d + extra) + d;
}

/** Of Qwen2-VL: text as above, vision tower and merger by hand. `d` and `f` as there, `v` the tower's width. */
function visualSize(d: number, f: number, kv: number, layers: number, v: number, depth: number): number {
  const patch = 3 * 2 * 14 * 14, ratio = 2;
  const attention = v * 3 * v + 3 * v + v * v + v, mlp = v * ratio * v + ratio * v + ratio * v * v + v;
  const merger = 2 * v + (4 * v * 4 * v + 4 * v) + (4 * v * d + d);
  return size(d, f, kv, layers, d + 2 * kv) + patch * v + depth * (4 * v + attention + mlp) + merger;
}

const SIZES: Record<keyof typeof MODEL_PRESETS, number> = {
  small_qwen2: size(128, 352, 64, 4, 128 + 2 * 64),
  tiny_qwen2: size(64, 176, 32, 2, 64 + 2 * 32),
  small_qwen3: size(128, 352, 64, 4, 2 * 32),
  small_llama: size(128, 352, 64, 4, 0),
  small_qwen2_vl: visualSize(128, 384, 64, 4, 96, 2),
};

/** Of pictures, which come from the tokenizer. */
const TOKENS = { image_token_id: 0, video_token_id: 1, vision_start_token_id: 2, vision_end_token_id: 3 };

for (const [name, want] of Object.entries(SIZES)) {
  Deno.test(`${name} is a model with ${(want / 1e6).toFixed(2)} M parameters, as transformers counts them`, () => {
    const preset = MODEL_PRESETS[name as keyof typeof MODEL_PRESETS];
    assert.equal(parameterLayout(modelConfig({ ...preset, ...TOKENS, vocab_size: VOCABULARY })).count, want);
    assert.deepEqual(Object.keys(SIZES).sort(), Object.keys(MODEL_PRESETS).sort());
  });
}
