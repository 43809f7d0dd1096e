import assert from "node:assert/strict";
import { type AdamW, hyperValues } from "../../../gpu/optimizers/adamw.ts";
import { tensorNormsGraph } from "../../../gpu/optimizers/tensor_norms.ts";
import { floats, runGraph } from "../run_graph.ts";

const ADAM: AdamW = { learningRate: 0.1, beta1: 0.5, beta2: 0.75, epsilon: 1, weightDecay: 0.5, maxNorm: 1 };

Deno.test("tensorNormsGraph() recovers the update from the moments and counts what is not finite", async () => {
  // first update: m = g / 2, v = g² / 4, corrected both g and g²: moved = 0.1 · g / (|g| + 1), with g = 1: 0.05
  const before = 2, moved = 0.05, decayed = before * (1 - 0.1 * 0.5) - moved;
  const sums = async (options: AdamW, g: number[], w: number[]) => {
    const moments = {
      m: floats([2], [0.5, 0.5]),
      v: floats([2], [0.25, 0.25]),
      hyper: floats([8], hyperValues(options, 1)),
    };
    const inputs = { ...moments, g: floats([2], g), w: floats([2], w) };
    return (await runGraph(tensorNormsGraph("cpu"), inputs, { sums: [4] })).sums!;
  };
  const near = (value: number, want: number) => assert(Math.abs(value - want) <= 1e-6 * want, `${value}, want ${want}`);
  const matrix = await sums(ADAM, [3, 4], [decayed, decayed]);
  near(matrix[0]!, 25);
  near(matrix[1]!, 2 * (before - decayed) ** 2);
  near(matrix[2]!, 2 * decayed ** 2);
  assert.equal(matrix[3], 0);
  const vector = await sums({ ...ADAM, weightDecay: 0 }, [NaN, -Infinity], [before - moved, before - moved]);
  assert(Number.isNaN(vector[0]));
  near(vector[1]!, 2 * moved ** 2);
  near(vector[2]!, 2 * (before - moved) ** 2);
  assert.equal(vector[3], 2);
});
