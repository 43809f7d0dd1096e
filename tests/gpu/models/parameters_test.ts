import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { readJson, readModel } from "../safetensors.ts";

for (const name of ["qwen2", "qwen3", "llama", "qwen2_bf16_sharded"]) {
  Deno.test(`parameterLayout() of ${name} has the names and shapes of its checkpoint`, () => {
    const { parameters } = parameterLayout(modelConfig(readJson(`models/${name}/config.json`)));
    const shapes = parameters.map(({ name, shape }): [string, readonly number[]] => [name, shape]);
    const stored = new Map([...readModel(name)].map(([name, { shape }]) => [name, shape]));
    assert.deepEqual(new Map(shapes.sort()), new Map([...stored].sort()));
  });
}

Deno.test("parameterLayout() keeps matrices before vectors, neighbours together, tensors aligned and apart", () => {
  const layout = parameterLayout(modelConfig(readJson("models/qwen2/config.json")));
  let end = 0;
  for (const tensor of layout.packed) {
    assert.equal(tensor.offset % 16, 0, tensor.name);
    assert(tensor.offset >= end, tensor.name);
    assert.equal(tensor.shape.length === 2, tensor.offset < layout.matrixSize, tensor.name);
    let at = tensor.offset;
    for (const part of tensor.parts) {
      assert.equal(part.offset, at);
      at += part.size;
    }
    end = tensor.offset + tensor.size;
    assert.equal(at, end);
  }
  assert(end <= layout.size);
  assert.deepEqual(layout.packed.find(({ name }) => name === "0.qkv")?.shape, [128, 64]);
  // 512*64 + 2 * (q 4160, k and v 2080 each, o 4096, MLP 24576, norms 128) + 64
  assert.equal(layout.count, 107_072);
});

Deno.test("parameterLayout() with a scalar head has score.weight [1, D] in place of the language head, tied or not", () => {
  for (const [name, tied] of [["qwen2", true], ["llama", false]] as const) {
    const config = { ...modelConfig(readJson(`models/${name}/config.json`)), tiedEmbeddings: tied };
    const lm = parameterLayout(config), scalar = parameterLayout({ ...config, head: "scalar" });
    const names = ({ parameters }: typeof lm) => new Set(parameters.map(({ name }) => name));
    assert.deepEqual([...names(scalar).difference(names(lm))], ["score.weight"]);
    assert.deepEqual([...names(lm).difference(names(scalar))], tied ? [] : ["lm_head.weight"]);
    assert.deepEqual(scalar.parameters.find(({ name }) => name === "score.weight")!.shape, [1, config.hiddenSize]);
    assert.deepEqual(scalar.repeated, []);
  }
});

Deno.test("parameterLayout() says where norms begin: where they multiply by 1", () => {
  const begins = (path: string) => parameterLayout(modelConfig(readJson(`${path}/config.json`))).initialNorm;
  assert.deepEqual(["models/llama", "goldens/families/gemma3", "goldens/families/olmo2"].map(begins), [1, 0, 1]);
});
