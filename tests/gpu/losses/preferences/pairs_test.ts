import assert from "node:assert/strict";
import { gradients } from "../../../../gpu/autodiff/gradients.ts";
import { eachOf, forBoth, isChosen, logSigmoid, pairOf } from "../../../../gpu/losses/preferences/pairs.ts";
import { Graph } from "../../../../gpu/onnx/graph.ts";
import { doubles, runGraph } from "../../run_graph.ts";

Deno.test("pairOf(), eachOf() and forBoth() go from completions to pairs and back; isChosen() marks every second", async () => {
  const graph = new Graph(), x = graph.input("x", { dtype: "float64", shape: [4, 1] });
  const pair = eachOf(pairOf(x), (value) => value.mul(10));
  graph.output("chosen", pair.chosen);
  graph.output("rejected", pair.rejected);
  graph.output("both", forBoth(pair.chosen));
  graph.output("mark", isChosen(x).add(0));
  const shapes = { chosen: [2, 1], rejected: [2, 1], both: [4, 1], mark: [4, 1] };
  const got = await runGraph(graph, { x: doubles([4, 1], [1, 2, 3, 4]) }, shapes);
  assert.deepEqual(got, { chosen: [10, 30], rejected: [20, 40], both: [10, 10, 30, 30], mark: [1, 0, 1, 0] });
});

Deno.test("logSigmoid() is log σ with its gradient, also where σ underflows", async () => {
  const graph = new Graph(), x = graph.input("x", { dtype: "float64", shape: [4, 1] }), y = logSigmoid(x);
  graph.output("y", y);
  graph.output("slope", gradients(y.sum(), [x])[0]!);
  const got = await runGraph(graph, { x: doubles([4, 1], [-2000, 0, 1, 2000]) }, { y: [4, 1], slope: [4, 1] });
  const near = (values: number[], want: number[]) =>
    values.forEach((value, i) => assert(Math.abs(value - want[i]!) < 1e-12, `${values}`));
  near(got.y!, [-2000, -Math.LN2, -Math.log(1 + Math.exp(-1)), 0]);
  near(got.slope!, [1, 0.5, 1 / (1 + Math.E), 0]);
});
