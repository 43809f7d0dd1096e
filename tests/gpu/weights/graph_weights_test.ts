import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { adapterOf } from "../../../gpu/weights/adapter.ts";
import { dropoutName, droppedOf, GraphWeights, weightName } from "../../../gpu/weights/graph_weights.ts";
import { layoutOf } from "../../../gpu/weights/layout.ts";
import { floats, runGraph } from "../run_graph.ts";
import { readJson } from "../safetensors.ts";

for (const wide of [false, true]) {
  Deno.test(`product() multiplies by [out, in] weights, adds the bias, scales both${wide ? ", as W·xᵀ too" : ""}`, async () => {
    const layout = layoutOf([["w", ["w", [3, 2]]], ["w_bias", ["b", [3]]]], {
      repeated: [],
      initializerRange: 1,
      initialNorm: 1,
    });
    const graph = new Graph(), weights = new GraphWeights(graph, { layout, adapter: null }, { wide });
    for (const [name, shape] of [["rows", [2, 2]], ["sequences", [1, 2, 2]]] as const) {
      graph.output(
        name,
        weights.product("w", graph.input(`${name}.x`, { dtype: "float32", shape }), 2),
      );
    }
    const x = [1, 10, -1, 0], w = floats([3, 2], [1, 2, 3, 4, 5, 6]), b = floats([3], [0.5, 0, -1]);
    const inputs = {
      "rows.x": floats([2, 2], x),
      "sequences.x": floats([1, 2, 2], x),
      "weight.w": w,
      "weight.w_bias": b,
    };
    const got = await runGraph(graph, inputs, { rows: [2, 3], sequences: [1, 2, 3] }),
      want = [43, 86, 128, -1, -6, -12];
    assert.deepEqual(got, { rows: want, sequences: want });
  });
}

Deno.test("GraphWeights.get() refuses a weight the model has not; find() gives null", () => {
  const layout = parameterLayout(modelConfig(readJson("models/llama/config.json")));
  const weights = new GraphWeights(new Graph(), { layout, adapter: null });
  assert.equal(weights.find("0.qkv_bias"), null);
  assert.equal(weights.get("0.o").name, weightName("0.o"));
  assert.deepEqual(weights.get("head").shape, [512, 64]);
  assert.throws(() => weights.get("0.qkv_bias"), /Cannot use weight "0.qkv_bias": the model has embed, head/);
});

const ADAPTER = adapterOf(parameterLayout(modelConfig(readJson("models/qwen2/config.json"))), {
  rank: 2,
  alpha: 2,
  rslora: false,
  scaling: 1,
  dropout: 0.5,
  targets: new Set(["model.layers.0.self_attn.v_proj.weight", "model.layers.0.mlp.up_proj.weight"]),
  saved: new Set(["model.norm.weight"]),
});

Deno.test("get() and find() give a parameter's copy where an adapter has one, stored() the parameter itself", () => {
  const weights = new GraphWeights(new Graph(), { layout: ADAPTER.layout, adapter: ADAPTER });
  for (const { name } of ADAPTER.base.packed) {
    const wanted = name === "norm" ? "norm.saved" : name;
    assert.equal(weights.get(name).name, weightName(wanted));
    assert.equal(weights.find(name), weights.get(name));
    assert.equal(weights.stored(name).name, weightName(name));
  }
  assert.deepEqual(weights.stored("0.qkv.lora_B").shape, [32, 2]);
});

Deno.test("adapted() is y itself without an adapter, and in a graph that trains asks what dropout keeps", () => {
  for (const dropout of [false, true]) {
    const graph = new Graph(), source = { layout: ADAPTER.layout, adapter: ADAPTER };
    const weights = new GraphWeights(graph, source, { dropout });
    const x = graph.input("x", { dtype: "float32", shape: [3, 64] }), y = x.mul(2);
    assert.equal(weights.adapted("0.gate", x, y), y);
    const wide = graph.input("wide", { dtype: "float32", shape: [3, 128] });
    assert.deepEqual(weights.adapted("0.up", x, wide).shape, [3, 128]);
    const asked = graph.inputs.filter(({ name }) => droppedOf(name) !== null);
    assert.deepEqual(
      asked.map(({ name, dtype, shape }) => [droppedOf(name), dtype, ...shape]),
      dropout ? [["0.up", "bool", 3, 64]] : [],
    );
    assert.deepEqual(asked.map(({ name }) => name), dropout ? [dropoutName("0.up")] : []);
  }
});
