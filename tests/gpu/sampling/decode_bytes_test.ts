/** What sampling is said to hold. */
import assert from "node:assert/strict";
import { modelConfig, rotaryDim } from "../../../gpu/models/config.ts";
import { DTYPES } from "../../../gpu/onnx/dtype.ts";
import { Batch } from "../../../gpu/sampling/batch.ts";
import { decodingBytes } from "../../../gpu/sampling/decode_bytes.ts";
import { samplerKind } from "../../../gpu/sampling/options.ts";
import type { Scope } from "../../../gpu/sampling/scope.ts";
import { readJson } from "../safetensors.ts";
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

Deno.test("decodingBytes() counts what lies beside the graph for each word, as a batch makes it", () => {
  const plain = { temperature: 1, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1 };
  for (
    const [settings, bytes] of [
      [{}, 4],
      [{ temperature: 0 }, 0],
      [{ topK: 5 }, 0],
      [{ topP: 0.9 }, 8],
      [{ topP: 0.9, temperature: 0.7 }, 12],
      [{ topP: 0.9, repetitionPenalty: 1.2 }, 13],
    ] as const
  ) {
    const sampler = samplerKind({ ...plain, ...settings }, true), made: number[] = [];
    const host = (dtype: keyof typeof DTYPES, shape: readonly number[]) => {
      if (shape[1] === 100) made.push(DTYPES[dtype].bytes * shape[0]! * shape[1]);
      return { data: [] };
    };
    new Batch([0, 1, 2], { vocabSize: 100, vision: null }, sampler, { host } as unknown as Scope);
    assert.equal(made.reduce((a, b) => a + b, 0), 3 * 100 * bytes, JSON.stringify(settings));
    const words = (size: number) => decodingBytes(of(size), ROWS, { sampler });
    const perWord = (words(80_000) - words(40_000)) / 40_000, beside = bytes * (4 + 32);
    const inGraph = bytes === 8 ? 0 : 4 * 32; // Scores that nothing changed are the logits themselves.
    assert(
      perWord > 0.95 * (beside + inGraph),
      `${JSON.stringify(settings)}: ${perWord} of each word, ${beside} beside`,
    );
  }
});

Deno.test("decodingBytes() counts a row of features and a turn for each token of a prompt that may have images", () => {
  const config = modelConfig(readJson("models/qwen2_vl/config.json"));
  const bytes = (prompts: number) => decodingBytes(config, { ...ROWS, promptTokens: 64, prompts, group: 8 / prompts });
  const words = (prompts: number) =>
    decodingBytes({ ...config, vision: null, mropeSection: null }, {
      ...ROWS,
      promptTokens: 64,
      prompts,
      group: 8 / prompts,
    });
  const perToken = 4 * (config.hiddenSize + rotaryDim(config));
  for (const prompts of [1, 8]) {
    const more = bytes(prompts) - words(prompts);
    assert(more >= prompts * 64 * perToken && more < 4e6, `${prompts} prompts: ${more}`);
  }
});
