import { countOf, covariance, largestOf } from "../../../gpu/losses/covariance.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { doubles, runGraph } from "../run_graph.ts";
import { near } from "./rollout_case.ts";

Deno.test("covariance() centers by counted tokens; largestOf() marks exactly so many, ties too, or all candidates", async () => {
  const shape = [1, 5], graph = new Graph();
  const [x, a, m, t] = ["x", "a", "m", "t"].map((name) => graph.input(name, { dtype: "float64", shape }));
  graph.output("cov", covariance(x!, a!, m!));
  const marks = (fraction: number) => largestOf(x!, m!.greater(0), countOf(fraction, m!), t!);
  graph.output("one", marks(0.01));
  graph.output("two", marks(0.5));
  graph.output("all", marks(1));
  graph.output("equal", largestOf(x!.mul(0), m!.greater(0), countOf(0.5, m!), t!));
  const inputs = {
    x: doubles(shape, [1, 3, 3, 1, 9]),
    a: doubles(shape, [1, 0, 0, -1, 9]),
    m: doubles(shape, [1, 1, 1, 1, 0]),
    t: doubles(shape, [3, 0, 1, 2, 4]),
  };
  const got = await runGraph(graph, inputs, { cov: shape, one: shape, equal: shape, two: shape, all: shape });
  near(got.cov!.slice(0, 4), [-1, 0, 0, 1]);
  near(got.one!, [0, 0, 1, 0, 0]);
  near(got.two!, [0, 1, 1, 0, 0]);
  near(got.all!, [1, 1, 1, 1, 0]);
  near(got.equal!, [0, 1, 1, 0, 0]);
});

Deno.test("largestOf() takes NaN before infinity, as torch.topk does", async () => {
  const shape = [1, 4], graph = new Graph();
  const [x, m, t] = ["x", "m", "t"].map((name) => graph.input(name, { dtype: "float64", shape }));
  graph.output("one", largestOf(x!, m!.greater(0), countOf(0.01, m!), t!));
  graph.output("two", largestOf(x!, m!.greater(0), countOf(0.5, m!), t!));
  const inputs = {
    x: doubles(shape, [NaN, -Infinity, Infinity, 7]),
    m: doubles(shape, [1, 1, 1, 1]),
    t: doubles(shape, [0, 1, 2, 3]),
  };
  const got = await runGraph(graph, inputs, { one: shape, two: shape });
  near(got.one!, [1, 0, 0, 0]);
  near(got.two!, [1, 0, 1, 0]);
});
