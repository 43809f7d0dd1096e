/** What sampling is said to hold. */
import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { decodingBytes } from "../../../gpu/sampling/decode_bytes.ts";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";

const of = (vocab_size: number, more = {}) => modelConfig({ ...MODEL_PRESETS.small_qwen2, vocab_size, ...more });
const ROWS = { prompts: 4, group: 8, promptTokens: 8, completionTokens: 8 };

Deno.test("decodingBytes() counts the cache of every layer once and a half", () => {
  const perLayer = decodingBytes(of(258, { num_hidden_layers: 5 }), ROWS) - decodingBytes(of(258), ROWS);
  assert.equal(perLayer, 1.5 * 4 * 2 * 32 * 2 * 16 * 32, "keys and values of 32 rows, 2 heads, 16 tokens, 32 numbers");
});

Deno.test("decodingBytes() counts logits and probabilities of every word", () => {
  const perWord = (decodingBytes(of(80_000), ROWS) - decodingBytes(of(40_000), ROWS)) / 40_000;
  assert(
    Math.abs(perWord / (4 * (4 + 32 + 32)) - 1) < 0.05,
    `${perWord}: logits of 4 prompts, of 32 rows, probabilities`,
  );
});

Deno.test("decodingBytes() counts the attention scores of long prompts, which are read in parts beyond some length", () => {
  const long = { ...ROWS, group: 1, completionTokens: 1 }, config = of(258, { max_position_embeddings: 8192 });
  const scores = (promptTokens: number) => decodingBytes(config, { ...long, promptTokens });
  assert(scores(1024) > 4 * 4 * 4 * 1024 * 1024, "4 prompts, 4 heads, all pairs of tokens");
  assert(scores(2048) < scores(1024) * 1.5, "read one by one in parts");
});
