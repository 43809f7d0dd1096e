import assert from "node:assert/strict";
import { type ModelConfig, modelConfig } from "../../../gpu/models/config.ts";
import { decodeGraph, moveRowsGraph, prefillGraph } from "../../../gpu/sampling/decode_graph.ts";
import { cacheNames } from "../../../gpu/sampling/kv_cache.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { floats, runGraph } from "../run_graph.ts";
import { readJson } from "../safetensors.ts";

const config: ModelConfig = modelConfig(readJson("models/qwen3/config.json"));
const options = { config, layout: parameterLayout(config), adapter: null, provider: "cpu" } as const;
const KIND = { greedy: false, temperature: true, topK: 0, topP: true, minP: false, repetitionPenalty: true };

Deno.test("decodeGraph() has a symbolic batch and exactly the sampler inputs its kind needs", () => {
  const inputs = decodeGraph(options, KIND).inputs.filter(({ name }) => !/^(weight|past)\./.test(name));
  assert.deepEqual(Object.fromEntries(inputs.map(({ name, shape }) => [name, shape])), {
    ids: ["B", 1],
    cos: ["positions", 16],
    sin: ["positions", 16],
    seqlens: ["B"],
    total: [1],
    uniforms: ["B", 1],
    temperature: [1],
    top_p: [1],
    repetition_penalty: [1],
    seen: ["B", 512],
  });
});

Deno.test("prefillGraph() gives one row of logits per prompt and a cache per layer, for keys and for values", () => {
  const outputs = Object.fromEntries(prefillGraph(options, 7).outputs.map(({ name, shape }) => [name, shape]));
  assert.deepEqual(outputs.logits, ["B", 512]);
  assert.deepEqual(Object.keys(outputs).sort(), ["logits", ...cacheNames(config).map(({ present }) => present)].sort());
  assert.deepEqual(outputs["present.1.value"], ["B", 2, "capacity", 32]);
});

Deno.test("prefillGraph() keeps keys and values of a head size without a kernel in heads that have one", () => {
  const narrow = { ...config, headDim: 24 };
  const { outputs } = prefillGraph({ ...options, config: narrow, layout: parameterLayout(narrow) }, 7);
  assert.deepEqual(outputs.find(({ name }) => name === "present.1.key")!.shape, ["B", 2, "capacity", 32]);
});

Deno.test("moveRowsGraph() copies the rows it is told to, also twice", async () => {
  const names = cacheNames(config), size = 2 * 1 * 32;
  const past = (base: number) =>
    floats([2, 2, 1, 32], Array.from({ length: 2 * size }, (_, i) => base + Math.floor(i / size)));
  const rows = { dtype: "int64", shape: [3], data: BigInt64Array.of(1n, 0n, 1n) } as const;
  const inputs = Object.fromEntries(names.map((name, i) => [name.past, past(10 * i)]));
  const outputs = Object.fromEntries(names.map((name) => [name.present, [3, 2, 1, 32]]));
  const got = await runGraph(moveRowsGraph(options), { rows, ...inputs }, outputs);
  names.forEach(({ present }, i) => {
    const values = got[present]!;
    assert.deepEqual([values[0], values[size], values[2 * size]], [10 * i + 1, 10 * i, 10 * i + 1]);
  });
});
