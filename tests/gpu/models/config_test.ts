import assert from "node:assert/strict";
import { modelConfig, toConfigJson } from "../../../gpu/models/config.ts";
import { readJson } from "../safetensors.ts";
import { COMMON, PUBLISHED } from "./published.ts";

Deno.test("modelConfig() reads qwen2 as transformers 4 wrote it", () => {
  const config = modelConfig(readJson("models/qwen2/config.json"));
  assert.deepEqual(config, {
    modelType: "qwen2",
    vocabSize: 512,
    hiddenSize: 64,
    intermediateSize: 128,
    layers: 2,
    heads: 4,
    kvHeads: 2,
    headDim: 16,
    maxPositions: 2048,
    normEpsilon: 1e-6,
    rope: { theta: 10000, scaling: null },
    localRope: null,
    partialRotary: 1,
    mropeSection: null,
    vision: null,
    imageToken: null,
    silentTokens: [],
    layerKinds: Array(2).fill({ window: null, rope: "global" }),
    qkvBias: true,
    outputBias: false,
    mlpBias: false,
    qkNorm: null,
    packedProjections: false,
    activation: "silu",
    normOffset: 0,
    norms: "before",
    embeddingScale: 1,
    residualScale: 1,
    attentionScale: 0.25,
    attentionSoftcap: null,
    logitsDivisor: 1,
    logitsSoftcap: null,
    tiedEmbeddings: true,
    head: "lm",
    initializerRange: 0.02,
  });
});

Deno.test("modelConfig() reads rope_parameters, head_dim and q/k norm of qwen3, and llama3 scaling", () => {
  const qwen3 = modelConfig(readJson("models/qwen3/config.json"));
  assert.deepEqual([qwen3.rope.theta, qwen3.headDim, qwen3.qkNorm, qwen3.qkvBias, qwen3.tiedEmbeddings], [
    1e6,
    32,
    "head",
    false,
    false,
  ]);
  const llama = modelConfig(readJson("models/llama/config.json"));
  assert.equal(llama.rope.theta, 500);
  assert.deepEqual(llama.rope.scaling, {
    type: "llama3",
    factor: 4,
    lowFrequencyFactor: 1,
    highFrequencyFactor: 4,
    originalPositions: 64,
  });
});

for (const name of ["qwen2", "qwen3", "llama", "qwen2_bf16_sharded"]) {
  Deno.test(`toConfigJson() of ${name} is read back as the same model`, () => {
    const config = modelConfig(readJson(`models/${name}/config.json`));
    assert.deepEqual(modelConfig(toConfigJson(config, { eos_token_id: 503 })), config);
  });
}

const REFUSED: readonly [change: Record<string, unknown>, message: RegExp][] = [
  [{ model_type: "gpt2" }, /"model_type" is "gpt2", want one of "qwen2", "qwen3", "qwen2_vl", "qwen2_5_vl", "llama"/],
  [{ model_type: "toString" }, /want one of/],
  [{ hidden_size: "64" }, /"hidden_size" is "64", want a positive number/],
  [{ hidden_size: undefined }, /"hidden_size" is missing/],
  [{ num_key_value_heads: 3 }, /4 heads share 3 kv heads, want a multiple/],
  [{ attention_bias: true }, /"attention_bias" is true/],
  [{ rope_scaling: { rope_type: "proportional", factor: 2 } }, /rope type "proportional" is not supported/],
  [{ hidden_act: "gelu" }, /"hidden_act" is "gelu"/],
];

for (const [change, message] of REFUSED) {
  Deno.test(`modelConfig() refuses ${JSON.stringify(change)}`, () => {
    assert.throws(() => modelConfig({ ...readJson("models/qwen2/config.json"), ...change }), {
      name: "TypeError",
      message,
    });
  });
}

Deno.test("modelConfig() refuses what is no object", () => {
  assert.throws(() => modelConfig(null), /it holds null, want an object/);
});

Deno.test("modelConfig() refuses sizes beyond any model before anything is laid out", () => {
  const config = {
    model_type: "llama",
    hidden_size: 16,
    intermediate_size: 32,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    vocab_size: 10,
  };
  modelConfig(config);
  for (
    const [key, value] of [
      ["num_hidden_layers", 1e9],
      ["vocab_size", 2 ** 25],
      ["intermediate_size", 1e9],
      ["max_position_embeddings", 1e9],
    ] as const
  ) {
    assert.throws(
      () => modelConfig({ ...config, [key]: value }),
      new RegExp(`"${key}" is ${value}, want at most \\d+$`),
    );
  }
});

Deno.test("modelConfig() reads a model for classification with one label as a scalar head, and writes it as one", () => {
  const json = readJson("models/qwen2/config.json");
  const scalar = { ...json, architectures: ["Qwen2ForSequenceClassification"], id2label: { 0: "LABEL_0" } };
  const config = modelConfig(scalar);
  assert.equal(config.head, "scalar");
  const written = toConfigJson(config);
  assert.deepEqual(written.architectures, ["Qwen2ForSequenceClassification"]);
  assert.deepEqual(written.id2label, { 0: "LABEL_0" });
  assert.deepEqual(modelConfig(written), config);
  assert.equal(modelConfig(json).head, "lm");
  assert.throws(() => modelConfig({ ...scalar, id2label: { 0: "a", 1: "b" } }), /with 2 labels, want 1 label/);
});

for (const [name, json] of Object.entries(PUBLISHED)) {
  Deno.test(`modelConfig() reads the config.json of ${name}, and toConfigJson() writes it back`, () => {
    const config = modelConfig({ ...COMMON, ...json });
    assert.deepEqual(modelConfig(toConfigJson(config)), config);
  });
}

Deno.test("modelConfig() makes of published configurations what they are", () => {
  const read = (name: string) => modelConfig({ ...COMMON, ...PUBLISHED[name] });
  const kinds = (name: string) => read(name).layerKinds.map(({ window, rope }) => `${window} ${rope}`);
  assert.deepEqual(kinds("SmolLM3-3B"), [...Array(3).fill("null global"), "null null"]);
  assert.deepEqual(kinds("gemma-3-1b").slice(4, 7), ["512 local", "null global", "512 local"]);
  assert.deepEqual(kinds("gemma-2-2b").slice(0, 2), ["4096 global", "null global"]);
  assert.deepEqual(new Set(kinds("Qwen2.5-0.5B")), new Set(["null global"]));
  assert.equal(read("gemma-2-2b").embeddingScale, 48);
  assert.equal(read("Phi-4-mini").rope.scaling?.type, "longrope");
  assert.deepEqual([read("granite-3.1-2b").attentionScale, read("granite-3.1-2b").residualScale], [0.015625, 0.22]);
});

Deno.test("modelConfig() says what a Gemma 3 with pictures is", () => {
  assert.throws(
    () => modelConfig({ ...COMMON, model_type: "gemma3", text_config: PUBLISHED["gemma-3-1b"] }),
    /"model_type" is "gemma3", which has a vision tower, want one of "qwen2"/,
  );
});
