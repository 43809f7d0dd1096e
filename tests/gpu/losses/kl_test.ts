import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { KL_ESTIMATORS, type KlEstimator, klToReference } from "../../../gpu/losses/kl.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { doubles, runGraph } from "../run_graph.ts";
import { number, readJson } from "../safetensors.ts";

const VERL: Record<string, KlEstimator> = { kl: "k1", k1: "k1", mse: "k2", k2: "k2", low_var_kl: "k3", k3: "k3" };

interface Case {
  name: string;
  params: { kl_penalty: string };
  inputs: { logprobs: number[] | number[][]; ref_logprobs: number[] | number[][] };
  outputs: {
    kl: (number | string)[] | (number | string)[][];
    grad_logprobs: (number | string)[] | (number | string)[][];
  };
}

/** The KL of each element and the gradient of their sum, float64. */
async function evaluate(estimator: KlEstimator, logprobs: number[], ref: number[], mask: number[]) {
  const graph = new Graph(), shape = [1, logprobs.length];
  const [x, r, m] = ["x", "r", "m"].map((name) => graph.input(name, { dtype: "float64", shape }));
  const kl = klToReference(estimator, x!, r!, m!);
  graph.output("gradient", gradients(kl.sum(), [x!])[0]!);
  graph.output("kl", kl);
  const inputs = { x: doubles(shape, logprobs), r: doubles(shape, ref), m: doubles(shape, mask) };
  return await runGraph(graph, inputs, { kl: shape, gradient: shape });
}

for (const { name, params, inputs, outputs } of readJson("goldens/formulas/verl_kl.json").cases as Case[]) {
  const estimator = VERL[params.kl_penalty];
  if (!estimator || !/(equal|random\d|deltas)$/.test(name)) continue;
  Deno.test(`klToReference() is verl's ${name}`, async () => {
    const logprobs = inputs.logprobs.flat(), ref = inputs.ref_logprobs.flat();
    const got = await evaluate(estimator, logprobs, ref, logprobs.map(() => 1));
    const kl = outputs.kl.flat().map(number), gradient = outputs.grad_logprobs.flat().map(number);
    logprobs.forEach((x, i) => {
      // verl clamps k3: its argument to ±20, its value to ±10. We do not; a KL that explodes is to be seen.
      if (estimator === "k3" && (Math.abs(x - ref[i]!) > 20 || kl[i]! >= 10)) return;
      assert(Math.abs(got.kl![i]! - kl[i]!) <= 1e-9 + 1e-6 * Math.abs(kl[i]!), `${i}: ${got.kl![i]}, want ${kl[i]}`);
      assert(Math.abs(got.gradient![i]! - gradient[i]!) <= 1e-9 + 1e-6 * Math.abs(gradient[i]!), `gradient ${i}`);
    });
  });
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
  for (const estimator of ["k1", "k2", "k3"] as const) {
    for (const [logprob, reference] of [[-400, 400], [-1, NaN], [NaN, -1], [-1, -Infinity]] as const) {
      const { kl, gradient } = await evaluate(estimator, [-1, logprob], [-2, reference], [1, 0]);
      assert.equal(kl![1]! + 0, 0, `${estimator} of ${logprob}, ${reference}`);
      assert.equal(gradient![1]! + 0, 0);
      assert(kl![0]! > 0);
    }
  }
});
