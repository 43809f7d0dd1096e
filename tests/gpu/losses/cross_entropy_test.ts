import assert from "node:assert/strict";
import { crossEntropy } from "../../../gpu/losses/cross_entropy.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { floats, runGraph } from "../run_graph.ts";

Deno.test("crossEntropy is the negative log-probability of each token, and asks only which is the likeliest", async () => {
  const graph = new Graph(), logprobs = graph.input("x", { dtype: "float32", shape: [1, 3] });
  const input = () => assert.fail("an input");
  const tokens = { logprobs, mask: logprobs, input, statistic: () => logprobs };
  graph.output("loss", crossEntropy.graph({ objective: "cross_entropy" }, tokens).loss);
  const { loss } = await runGraph(graph, { x: floats([1, 3], [-0.5, -2, 0]) }, { loss: [1, 3] });
  assert.deepEqual(loss!.map((x) => x + 0), [0.5, 2, 0]);
  assert.deepEqual(crossEntropy.inputs({ objective: "cross_entropy" }), {});
});
