import assert from "node:assert/strict";
import { type DivergenceName, DIVERGENCES } from "../../../../gpu/losses/preferences/divergences.ts";
import { Graph } from "../../../../gpu/onnx/graph.ts";
import { doubles, runGraph } from "../../run_graph.ts";

const RATIOS = [-3, -0.5, 0, 2];
const PLAIN: Record<DivergenceName, (ratio: number, alpha: number) => number> = {
  reverse_kl: (ratio) => ratio,
  forward_kl: (ratio) => 1 - Math.exp(-ratio),
  js_divergence: (ratio) => Math.log(2 / (1 + Math.exp(-ratio))),
  alpha_divergence: (ratio, alpha) => alpha === 1 ? ratio : (Math.exp((alpha - 1) * ratio) - 1) / (alpha - 1),
};

async function scores(name: DivergenceName, alpha: number, ratios: readonly number[]): Promise<number[]> {
  const graph = new Graph(), x = graph.input("x", { dtype: "float64", shape: [ratios.length, 1] });
  graph.output("y", DIVERGENCES[name].score(x, alpha).add(0));
  return (await runGraph(graph, { x: doubles(x.dims, ratios) }, { y: x.dims })).y!;
}

Deno.test("every divergence is f'(t) of the log-ratio log t, up to a constant", async () => {
  for (const [name, plain] of Object.entries(PLAIN) as [DivergenceName, (typeof PLAIN)[DivergenceName]][]) {
    for (const alpha of [0.5, 1, 2]) {
      const got = await scores(name, alpha, RATIOS);
      RATIOS.forEach((ratio, i) =>
        assert(Math.abs(got[i]! - plain(ratio, alpha)) < 1e-12, `${name} ${alpha} ${ratio}`)
      );
    }
    assert(DIVERGENCES[name].method.formula.startsWith("s = "));
  }
});

Deno.test("the exponent of the α-divergence is capped at 80", async () => {
  assert.deepEqual(await scores("alpha_divergence", 2, [500]), [Math.exp(80) - 1]);
});
