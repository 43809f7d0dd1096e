import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { formOf, KL_ESTIMATORS, klEstimate, type KlEstimator, klToReference, plainKl } from "../../../gpu/losses/kl.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { doubles, runGraph } from "../run_graph.ts";

/** The KL of each element and the gradient of their sum, float64. */
async function evaluate(estimator: KlEstimator, logprobs: number[], ref: number[], mask: number[]) {
  const graph = new Graph(), shape = [1, logprobs.length];
  const [x, r, m] = ["x", "r", "m"].map((name) => graph.input(name, { dtype: "float64", shape }));
  const kl = klToReference({ estimator }, x!, r!, m!);
  graph.output("gradient", gradients(kl.sum(), [x!])[0]!);
  graph.output("kl", kl);
  const inputs = { x: doubles(shape, logprobs), r: doubles(shape, ref), m: doubles(shape, mask) };
  return await runGraph(graph, inputs, { kl: shape, gradient: shape });
}

Deno.test("KL_ESTIMATORS are one formula in a graph and of a number", async () => {
  const differences = [-8, -1, -0.3, -1e-4, 0, 1e-4, 0.3, 1, 8], zero = differences.map(() => 0);
  for (const [name, { plain }] of Object.entries(KL_ESTIMATORS)) {
    const { kl } = await evaluate(name as KlEstimator, differences, zero, differences.map(() => 1));
    differences.forEach((d, i) => {
      assert(Math.abs(plain(d) - kl![i]!) <= 1e-12 * (1 + Math.abs(kl![i]!)), `${name}(${d}): ${plain(d)}, ${kl![i]}`);
    });
  }
});

Deno.test("klToReference() is 0 with gradient 0 where the mask is 0, whatever stands there", async () => {
  for (const estimator of Object.keys(KL_ESTIMATORS) as KlEstimator[]) {
    for (const [logprob, reference] of [[-400, 400], [-1, NaN], [NaN, -1], [-1, -Infinity]] as const) {
      const { kl, gradient } = await evaluate(estimator, [-1, logprob], [-2, reference], [1, 0]);
      assert.equal(kl![1]! + 0, 0, `${estimator} of ${logprob}, ${reference}`);
      assert.equal(gradient![1]! + 0, 0);
      assert(kl![0]! > 0);
    }
  }
});

Deno.test("a bound holds the value and takes the gradient; what ends in + keeps that of k2", async () => {
  const differences = [-40, -25, -3, -0.5, 0.5, 3, 25, 40], shape = [1, differences.length];
  const bounds = { difference: 20, value: 10 };
  for (const estimator of Object.keys(KL_ESTIMATORS) as KlEstimator[]) {
    const graph = new Graph(), x = graph.input("x", { dtype: "float64", shape });
    const kl = klEstimate(estimator, x, bounds);
    graph.output("gradient", gradients(kl.sum(), [x])[0]!);
    graph.output("kl", kl.mul(1));
    const got = await runGraph(graph, { x: doubles(shape, differences) }, { kl: shape, gradient: shape });
    differences.forEach((d, i) => {
      const within = Math.min(Math.max(d, -20), 20), free = KL_ESTIMATORS[estimator].plain(within);
      const want = Math.min(Math.max(free, -10), 10), step = 1e-6;
      const difference = (plainKl(estimator, d + step, bounds) - plainKl(estimator, d - step, bounds)) / (2 * step);
      const slope = formOf(estimator) === estimator ? difference : d;
      assert(Math.abs(got.kl![i]! - want) < 1e-9, `${estimator}(${d}): ${got.kl![i]}, want ${want}`);
      assert.equal(plainKl(estimator, d, bounds), want);
      assert(
        Math.abs(got.gradient![i]! - slope) < 1e-4,
        `slope of ${estimator}(${d}): ${got.gradient![i]}, want ${slope}`,
      );
    });
  }
});
