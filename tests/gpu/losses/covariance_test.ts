import { countOf, covariance, largestOf } from "../../../gpu/losses/covariance.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { doubles, runGraph } from "../run_graph.ts";
import { near } from "./rollout_case.ts";

Deno.test("covariance() centers by counted tokens; largestOf() marks exactly so many, ties too, or all candidates", async () => {
  const shape = [1, 5], graph = new Graph();
  const [x, a, m] = ["x", "a", "m"].map((name) => graph.input(name, { dtype: "float64", shape }));
  graph.output("cov", covariance(x!, a!, m!));
  const marks = (fraction: number) => largestOf(x!, m!.greater(0), countOf(fraction, m!));
  graph.output("one", marks(0.01));
  graph.output("two", marks(0.5));
  graph.output("all", marks(1));
  const inputs = {
    x: doubles(shape, [1, 3, 3, 1, 9]),
    a: doubles(shape, [1, 0, 0, -1, 9]),
    m: doubles(shape, [1, 1, 1, 1, 0]),
  };
  const got = await runGraph(graph, inputs, { cov: shape, one: shape, two: shape, all: shape });
  near(got.cov!.slice(0, 4), [-1, 0, 0, 1]);
  near(got.one!, [0, 0, 1, 0, 0]);
  near(got.two!, [0, 1, 1, 0, 0]);
  near(got.all!, [1, 1, 1, 1, 0]);
});
