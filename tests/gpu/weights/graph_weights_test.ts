import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { Graph, type Value } from "../../../gpu/onnx/graph.ts";
import type { Adapter } from "../../../gpu/weights/adapter.ts";
import { GraphWeights, weightName } from "../../../gpu/weights/graph_weights.ts";
import { readJson } from "../safetensors.ts";

Deno.test("GraphWeights.get() refuses a weight the model has not; find() gives null", () => {
  const layout = parameterLayout(modelConfig(readJson("models/llama/config.json")));
  const weights = new GraphWeights(new Graph(), { layout, adapter: null });
  assert.equal(weights.find("0.qkv_bias"), null);
  assert.equal(weights.get("0.o").name, weightName("0.o"));
  assert.deepEqual(weights.get("head").shape, [512, 64]);
  assert.throws(() => weights.get("0.qkv_bias"), /Cannot use weight "0.qkv_bias": the model has embed, head/);
});

Deno.test("get() and find() give what an adapter makes of a parameter, stored() the parameter itself", () => {
  const layout = parameterLayout(modelConfig(readJson("models/qwen2/config.json")));
  const adapted = new Map<string, Value>();
  const adapt: Adapter["adapt"] = (_graph, packed, stored) => {
    adapted.set(packed, stored.add(stored));
    return adapted.get(packed)!;
  };
  const weights = new GraphWeights(new Graph(), { layout, adapter: { adapt, inputs: {} } });
  for (const { name } of layout.packed) {
    assert.equal(weights.get(name), adapted.get(name));
    assert.equal(weights.find(name), adapted.get(name));
    assert.equal(weights.stored(name).name, weightName(name));
  }
  assert(adapted.has("0.qkv_bias"));
});
