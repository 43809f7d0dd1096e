import assert from "node:assert/strict";
import { type AdamW, hyperValues } from "../../../gpu/optimizers/adamw.ts";
import { tensorNormsGraph } from "../../../gpu/optimizers/tensor_norms.ts";
import { floats, runGraph } from "../run_graph.ts";

const ADAM: AdamW = { learningRate: 0.1, beta1: 0.5, beta2: 0.75, epsilon: 1, weightDecay: 0.5, maxNorm: 1 };

Deno.test("tensorNormsGraph() recovers the update from the moments and counts what is not finite", async () => {
  const parameters = [
    { name: "matrix", shape: [1, 2], offset: 0, size: 2 },
    { name: "vector", shape: [2], offset: 2, size: 2 },
  ];
  // first update: m = g / 2, v = g² / 4, corrected both g and g²: moved = 0.1 · g / (|g| + 1), with g = 1: 0.05
  const before = 2, moved = 0.05, decayed = before * (1 - 0.1 * 0.5) - moved;
  const inputs = {
    matrix_hyper: floats([8], hyperValues(ADAM, 1)),
    vector_hyper: floats([8], hyperValues({ ...ADAM, weightDecay: 0 }, 1)),
    "g.0": floats([2], [3, 4]),
    "w.0": floats([2], [decayed, decayed]),
    "m.0": floats([2], [0.5, 0.5]),
    "v.0": floats([2], [0.25, 0.25]),
    "g.1": floats([2], [NaN, -Infinity]),
    "w.1": floats([2], [before - moved, before - moved]),
    "m.1": floats([2], [0.5, 0.5]),
    "v.1": floats([2], [0.25, 0.25]),
  };
  const { norms } = await runGraph(tensorNormsGraph(parameters, "cpu"), inputs, { norms: [2, 4] });
  const near = (value: number, want: number) => assert(Math.abs(value - want) <= 1e-6 * want, `${value}, want ${want}`);
  near(norms![0]!, 5);
  near(norms![1]!, Math.SQRT2 * (before - decayed));
  near(norms![2]!, Math.SQRT2 * decayed);
  assert.equal(norms![3], 0);
  assert(Number.isNaN(norms![4]));
  near(norms![5]!, Math.SQRT2 * moved);
  near(norms![6]!, Math.SQRT2 * (before - moved));
  assert.equal(norms![7], 2);
});
