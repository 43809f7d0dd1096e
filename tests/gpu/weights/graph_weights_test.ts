import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
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
