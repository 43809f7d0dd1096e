import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { logits, tokenLogprobs } from "../../../gpu/models/blocks.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { GraphWeights } from "../../../gpu/weights/graph_weights.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { doubles, floats, runGraph } from "../run_graph.ts";
import { plainConfig } from "./plain_config.ts";

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

Deno.test("tokenLogprobs().statistic are by hand what they say, with the gradients of their differences", async () => {
  const rows = [[0.3, -1.2, 2, 0.1], [1.5, 1.4, -0.5, -3]], ids = [2n, 1n], step = 1e-5;
  const evaluate = async (logits: readonly number[][]) => {
    const graph = new Graph(), x = graph.input("logits", { dtype: "float64", shape: [2, 4] });
    const { statistic } = tokenLogprobs(x, graph.input("ids", { dtype: "int64", shape: [2] }));
    for (const name of ["entropy", "log_sum_squares", "mean_logit"] as const) {
      assert.equal(statistic(name), statistic(name), "built once");
      graph.output(name, statistic(name).mul(1));
      graph.output(`d_${name}`, gradients(statistic(name).sum(), [x])[0]!);
    }
    graph.output("top1", statistic("top1").mul(1));
    const inputs = {
      logits: doubles([2, 4], logits.flat()),
      ids: { dtype: "int64", shape: [2], data: BigInt64Array.from(ids) } as const,
    };
    const shapes = { entropy: [2], log_sum_squares: [2], mean_logit: [2], top1: [2] };
    const slopes = { d_entropy: [2, 4], d_log_sum_squares: [2, 4], d_mean_logit: [2, 4] };
    return await runGraph(graph, inputs, { ...shapes, ...slopes });
  };
  const got = await evaluate(rows);
  const near = (a: number, b: number, what: string) => assert(Math.abs(a - b) < 1e-8, `${what}: ${a}, want ${b}`);
  for (const [i, row] of rows.entries()) {
    const sum = row.reduce((total, x) => total + Math.exp(x), 0), p = row.map((x) => Math.exp(x) / sum);
    near(got.entropy![i]!, -p.reduce((total, q) => total + q * Math.log(q), 0), "entropy");
    near(got.log_sum_squares![i]!, Math.log(p.reduce((total, q) => total + q * q, 0)), "log_sum_squares");
    near(got.mean_logit![i]!, row.reduce((a, b) => a + b) / 4, "mean_logit");
  }
  assert.deepEqual(got.top1, [1, 0]);
  for (const [i, row] of rows.entries()) {
    for (const v of row.keys()) {
      const moved = (by: number) => evaluate(rows.map((r, j) => r.map((x, w) => i === j && v === w ? x + by : x)));
      const [up, down] = [await moved(step), await moved(-step)];
      for (const name of ["entropy", "log_sum_squares", "mean_logit"]) {
        near(got[`d_${name}`]![i * 4 + v]!, (up[name]![i]! - down[name]![i]!) / (2 * step), `${name} ${i} ${v}`);
      }
    }
  }
});

Deno.test("logits() of tokens that a model never gives have no probability, and count 0 in the mean of all", async () => {
  const config = modelConfig(plainConfig("qwen2_vl")), layout = parameterLayout(config), graph = new Graph();
  const weights = new GraphWeights(graph, { layout, adapter: null });
  const all = logits(graph.input("hidden", { dtype: "float32", shape: [2, 32] }), weights, config);
  const { logprobs, statistic } = tokenLogprobs(all, graph.input("ids", { dtype: "int64", shape: [2] }));
  for (const [name, value] of Object.entries({ all, logprobs, mean: statistic("mean_logit") })) {
    graph.output(name, value.mul(1));
  }
  const head = Array.from({ length: 320 }, (_, i) => Math.sin(i * 0.7));
  const inputs = Object.fromEntries(
    graph.inputs.filter(({ name }) => name.startsWith("weight.")).map(({ name, dims }) =>
      [name, floats(dims, name === "weight.head" ? head : Array(dims.reduce((a, b) => a * b, 1)).fill(0))] as const
    ),
  );
  const got = await runGraph(graph, {
    ...inputs,
    hidden: floats([2, 32], Array.from({ length: 64 }, (_, i) => Number(i % 33 === 0))),
    ids: { dtype: "int64", shape: [2], data: BigInt64Array.of(1n, 7n) },
  }, { all: [2, 10], logprobs: [2], mean: [2] });
  [0, 1].forEach((row) => {
    const said = Array.from({ length: 6 }, (_, v) => Math.fround(head[32 * v + row]!));
    said.forEach((x, v) => assert(Math.abs(got.all![10 * row + v]! - x) < 1e-6));
    assert(got.all!.slice(10 * row + 6, 10 * row + 10).every((x) => x < -1e8), "6 to 9 are those of images");
    assert(Math.abs(got.mean![row]! - said.reduce((a, b) => a + b) / 10) < 1e-6);
    const sum = said.reduce((total, x) => total + Math.exp(x), 0);
    if (row === 0) assert(Math.abs(got.logprobs![0]! - said[1]! + Math.log(sum)) < 1e-6);
  });
  assert(got.logprobs![1]! < -1e8);
});
