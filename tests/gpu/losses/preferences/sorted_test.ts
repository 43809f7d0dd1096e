import assert from "node:assert/strict";
import { gradients } from "../../../../gpu/autodiff/gradients.ts";
import { sorted } from "../../../../gpu/losses/preferences/sorted.ts";
import { Graph } from "../../../../gpu/onnx/graph.ts";
import { doubles, runGraph } from "../../run_graph.ts";

Deno.test("sorted() puts the smallest first, NaN last, and sends each gradient back to its row", async () => {
  const graph = new Graph(), x = graph.input("x", { dtype: "float64", shape: [4, 1] });
  const y = sorted(x), weights = graph.input("w", { dtype: "float64", shape: [4, 1] });
  graph.output("y", y);
  graph.output("back", gradients(y.mul(weights).sum(), [x])[0]!);
  const run = (values: number[]) =>
    runGraph(graph, { x: doubles([4, 1], values), w: doubles([4, 1], [1, 2, 3, 4]) }, { y: [4, 1], back: [4, 1] });
  assert.deepEqual(await run([3, -1, 7, 0]), { y: [-1, 0, 3, 7], back: [3, 1, 4, 2] });
  assert.deepEqual((await run([3, NaN, 7, 0])).y, [0, 3, 7, NaN]);
});
