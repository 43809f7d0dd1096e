import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { linear, tokenLogprobs } from "../../../gpu/models/blocks.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { floats, runGraph } from "../run_graph.ts";

Deno.test("linear() multiplies by [out, in] weights, adds the bias, scales the product", async () => {
  const graph = new Graph(), read = (name: string, shape: number[]) => graph.input(name, { dtype: "float32", shape });
  graph.output("y", linear(read("x", [1, 2]), read("w", [3, 2]), read("b", [3]), 2));
  const inputs = { x: floats([1, 2], [1, 10]), w: floats([3, 2], [1, 2, 3, 4, 5, 6]), b: floats([3], [0.5, 0, -1]) };
  assert.deepEqual((await runGraph(graph, inputs, { y: [1, 3] })).y, [42.5, 86, 129]);
});

for (const provider of ["cpu", "cuda"] as const) {
  Deno.test(`tokenLogprobs() with the ops of ${provider}: log softmax, its entropy, and gradient onehot - p`, async () => {
    const graph = new Graph({ provider }), rows = [[0, Math.log(3), -Infinity], [1, 1, 1]];
    const logits = graph.input("logits", { dtype: "float32", shape: [2, 3] });
    const { logprobs, entropy } = tokenLogprobs(logits, graph.input("ids", { dtype: "int64", shape: [2] }));
    graph.output("gradient", gradients(logprobs.sum(), [logits])[0]!);
    graph.output("logprobs", logprobs.mul(1));
    graph.output("entropy", entropy.mul(1));
    rows[0]![2] = -80; // as good as -Infinity, without its 0 · Infinity
    const inputs = {
      logits: floats([2, 3], rows.flat()),
      ids: { dtype: "int64", shape: [2], data: BigInt64Array.of(1n, 0n) } as const,
    };
    const got = await runGraph(graph, inputs, { logprobs: [2], entropy: [2], gradient: [2, 3] });
    const near = (a: number[], b: number[]) =>
      a.forEach((x, i) => assert(Math.abs(x - b[i]!) < 1e-6, `${a}, want ${b}`));
    near(got.logprobs!, [Math.log(0.75), Math.log(1 / 3)]);
    near(got.entropy!, [-0.25 * Math.log(0.25) - 0.75 * Math.log(0.75), Math.log(3)]);
    near(got.gradient!, [-0.25, 0.25, 0, 2 / 3, -1 / 3, -1 / 3]);
  });
}
