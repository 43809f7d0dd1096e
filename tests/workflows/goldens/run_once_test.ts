import assert from "node:assert/strict";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { floats, runOnce } from "../../../workflows/goldens/run_once.ts";

Deno.test("runOnce() runs a graph of symbolic sizes", async () => {
  const graph = new Graph();
  graph.output("y", graph.input("x", { dtype: "float32", shape: ["N"] }).mul(2));
  assert.deepEqual(await runOnce(graph, { x: floats([3], [1, 2, 3]) }, { y: [3] }), { y: [2, 4, 6] });
});
