import assert from "node:assert/strict";
import type { ModelConfig } from "../../../gpu/models/config.ts";
import { ropeInputNames, ropeInputs, ropesInUse, rotate } from "../../../gpu/models/rope_inputs.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { floats, runGraph } from "../run_graph.ts";

const kinds = [{ window: 2, rope: "local" }, { window: null, rope: "global" }, { window: null, rope: null }] as const;
const config = { headDim: 4, partialRotary: 1, layerKinds: kinds } as unknown as ModelConfig;

Deno.test("ropeInputs() declares the tables that layers use, each once, and gives each layer its own", () => {
  const graph = new Graph(), table = ropeInputs(graph, config, "positions");
  assert.deepEqual(graph.inputs.map(({ name, shape }) => [name, shape]), [
    ["cos.local", ["positions", 2]],
    ["sin.local", ["positions", 2]],
    ["cos", ["positions", 2]],
    ["sin", ["positions", 2]],
  ]);
  assert.deepEqual([0, 1, 2].map((layer) => table(layer)?.cos.name ?? null), ["cos.local", "cos", null]);
  assert.deepEqual([...ropesInUse(config)].map((name) => ropeInputNames(name).sin), ["sin.local", "sin"]);
});

Deno.test("rotate() turns the first dimensions of a head and leaves the others", async () => {
  const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [1, 1, 1, 6] });
  const at = graph.constant(BigInt64Array.of(1n), [1, 1]);
  const table = {
    cos: graph.constant(Float32Array.of(1, 1, 0, 0), [2, 2]),
    sin: graph.constant(Float32Array.of(0, 0, 1, 1), [2, 2]),
  };
  graph.output("y", rotate(x, at, table));
  const { y } = await runGraph(graph, { x: floats([1, 1, 1, 6], [1, 2, 3, 4, 5, 6]) }, { y: [1, 1, 1, 6] });
  // A quarter turn: the first half becomes minus the second.
  assert.deepEqual(y, [-3, -4, 1, 2, 5, 6]);
});
