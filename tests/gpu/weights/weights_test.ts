import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { type NamedArray, weightInputs, Weights } from "../../../gpu/weights/weights.ts";
import { cpuRuntime } from "../golden_model.ts";
import { readJson, readModel } from "../safetensors.ts";
import { same } from "../../same.ts";

async function withWeights(name: string, body: (weights: Weights) => void | Promise<void>): Promise<void> {
  const runtime = await cpuRuntime();
  const weights = new Weights(runtime, parameterLayout(modelConfig(readJson(`models/${name}/config.json`))));
  try {
    await body(weights);
  } finally {
    weights.release();
    runtime.release();
  }
}

for (const name of ["qwen2", "qwen3", "llama", "qwen2_bf16_sharded"]) {
  Deno.test(`Weights give back ${name}'s tensors bit for bit`, async () => {
    await withWeights(name, (weights) => {
      const stored = readModel(name);
      weights.fromHuggingFace(stored);
      const back = weights.toHuggingFace();
      assert.equal(back.size, stored.size);
      for (const [tensor, { shape, data }] of stored) {
        assert.deepEqual(back.get(tensor)!.shape, shape, tensor);
        same(new Uint32Array(back.get(tensor)!.data.buffer), new Uint32Array(data.buffer), tensor);
      }
    });
  });
}

Deno.test("weightInputs() see q, k and v as one matrix", async () => {
  await withWeights("qwen2", (weights) => {
    const stored = readModel("qwen2");
    weights.fromHuggingFace(stored);
    const rows = ["q", "k", "v"].flatMap((n) => [...stored.get(`model.layers.1.self_attn.${n}_proj.weight`)!.data]);
    const fused = weightInputs(weights)["weight.1.qkv"]!;
    assert.deepEqual(fused.shape, [128, 64]);
    same([...fused.data as Float32Array], rows);
  });
});

Deno.test("Weights.fromHuggingFace() names what is missing, unknown or misshapen, and takes a tied head", async () => {
  await withWeights("qwen2", (weights) => {
    const stored = new Map<string, NamedArray>(readModel("qwen2"));
    const tied = new Map(stored).set("lm_head.weight", stored.get("model.embed_tokens.weight")!);
    weights.fromHuggingFace(tied);
    const missing = new Map(stored);
    missing.delete("model.norm.weight");
    assert.throws(() => weights.fromHuggingFace(missing), /"model.norm.weight" is missing, want shape \[64\]/);
    const wrong = new Map(stored).set("model.norm.weight", { shape: [63], data: new Float32Array(63) });
    assert.throws(() => weights.fromHuggingFace(wrong), /"model.norm.weight" has shape \[63\], want \[64\]/);
    const unknown = new Map(stored).set("model.layers.2.bias", { shape: [1], data: new Float32Array(1) });
    assert.throws(() => weights.fromHuggingFace(unknown), /"model.layers.2.bias" is not a parameter of this model/);
  });
});

Deno.test("Weights.initialize() draws matrices with the config's deviation, biases 0, norms 1", async () => {
  await withWeights("qwen3", (weights) => {
    let drawn = 0;
    weights.initialize((count) => Float32Array.from({ length: count }, () => (drawn++ % 2 ? 1 : -1)));
    let matrices = 0;
    for (const [name, { shape, data }] of weights.toHuggingFace()) {
      if (shape.length === 2) {
        matrices += data.length;
        assert(data.every((x) => Math.abs(x) === Math.fround(0.02)), name);
      } else assert(data.every((x) => x === 1), name);
    }
    assert.equal(drawn, matrices);
  });
  await withWeights("qwen2", (weights) => {
    weights.initialize((count) => new Float32Array(count).fill(1));
    const all = weights.toHuggingFace();
    assert(all.get("model.layers.0.self_attn.q_proj.bias")!.data.every((x) => x === 0));
    assert(all.get("model.layers.0.input_layernorm.weight")!.data.every((x) => x === 1));
  });
});

Deno.test("Weights.trainable() counts, masks parts of a packed tensor, and needs no mask when all trains", async () => {
  await withWeights("qwen2", (weights) => {
    const all = weights.trainable();
    assert.deepEqual([all.mask, all.count], [null, weights.layout.count]);
    const some = weights.trainable(["*.v_proj.weight"]);
    assert.equal(some.count, 2 * 32 * 64);
    assert.deepEqual([...some.packed], ["0.qkv", "1.qkv"]);
    assert.equal(some.mask!.reduce((a, b) => a + b), some.count);
    const v = weights.layout.parameters.find(({ name }) => name === "model.layers.0.self_attn.v_proj.weight")!;
    assert.deepEqual([some.mask![v.offset - 1], some.mask![v.offset], some.mask![v.offset + v.size]], [0, 1, 0]);
  });
});

Deno.test("Weights.copyFrom() copies: later changes of one do not reach the other", async () => {
  await withWeights("qwen2", (weights) => {
    weights.fromHuggingFace(readModel("qwen2"));
    const twin = new Weights(weights.runtime, weights.layout);
    twin.copyFrom(weights);
    const before = (twin.values.data as Float32Array)[5];
    (weights.values.data as Float32Array)[5] = 99;
    assert.equal((twin.values.data as Float32Array)[5], before);
    twin.release();
  });
});
