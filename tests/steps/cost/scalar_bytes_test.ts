/** Memory of a critic or reward model by hand: a whole one, an adapter on a shared base, one on a base of its own. */
import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { scalarBytes } from "../../../steps/cost/scalar_bytes.ts";
import { LORA } from "../../../steps/options/lora.ts";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";

const config = modelConfig({ ...MODEL_PRESETS.tiny_qwen2, vocab_size: 258, max_position_embeddings: 64 });
const lora = LORA.parse({ rank: 2, target_modules: ["q_proj"] }), { hiddenSize: d } = config;
/** A and B of q_proj of each layer, and the head. */
const TRAINED = config.layers * 2 * (d + config.heads * config.headDim) + d;

const bytes = (given: Parameters<typeof scalarBytes>[0], policy: Record<string, unknown> | null) =>
  scalarBytes(given, { config, parameters: 1000 }, policy);

Deno.test("scalarBytes() counts the shared base once: weights, gradient and moments of the adapter alone", () => {
  const adapted = { model: "./base", lora: {} };
  assert.equal(bytes({}, adapted), 16 * 1000);
  assert.equal(bytes({ lora }, adapted), 16 * TRAINED);
  assert.equal(bytes({ lora, model: "./base" }, adapted), 16 * TRAINED);
  assert.equal(bytes({ lora, model: "./other" }, adapted), 4 * 1000 + 16 * TRAINED);
  assert.equal(bytes({ lora }, { model: "./base" }), 4 * 1000 + 16 * TRAINED);
  assert.equal(bytes({ lora }, null), 4 * 1000 + 16 * TRAINED);
  assert.equal(bytes({ adapter: "./adapter" }, adapted), 0);
  assert.equal(bytes({ lora: LORA.parse({ target_modules: ["none"] }) }, adapted), 0);
});
