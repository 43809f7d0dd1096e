import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { clipped, type ClippedLoss } from "../../../gpu/losses/clipped.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { doubles, runGraph } from "../run_graph.ts";

const LOSS: ClippedLoss = {
  objective: "clipped",
  clipLow: 0.2,
  clipHigh: 0.3,
  ratioCap: null,
  ratioLevel: "token",
  onPolicy: true,
  kl: null,
};

async function evaluate(
  logprobs: number[],
  old: number[] | null,
  advantages: number[],
  mask: number[],
  loss = LOSS,
) {
  const graph = new Graph(), shape = [1, logprobs.length];
  const read = (name: string) => graph.input(name, { dtype: "float64", shape }), x = read("x"), m = read("m");
  const terms = clipped.graph({ ...loss, onPolicy: old === null }, {
    logprobs: x,
    mask: m,
    input: read,
    statistic: read,
  });
  graph.output("gradient", gradients(terms.loss.sum(), [x])[0]!);
  graph.output("loss", terms.loss.mul(1));
  graph.output("clipped", terms.metrics.clip_fraction!.mul(m));
  const inputs = {
    x: doubles(shape, logprobs),
    ...(old ? { old_logprobs: doubles(shape, old) } : {}),
    advantages: doubles(shape, advantages),
    m: doubles(shape, mask),
  };
  return await runGraph(graph, inputs, { loss: shape, gradient: shape, clipped: shape });
}
function near(values: number[], want: number[]): void {
  values.forEach((value, i) => assert(Math.abs(value - want[i]!) < 1e-12, `${i}: ${values}, want ${want}`));
}

Deno.test("clipped at ratio 1 is minus the advantage, and so is its gradient", async () => {
  const { loss, gradient, clipped } = await evaluate([-1, -2, -0.5], null, [2, -3, 0], [1, 1, 1]);
  near(loss!, [-2, 3, 0]);
  near(gradient!, [-2, 3, 0]);
  near(clipped!, [0, 0, 0]);
});

Deno.test("clipped stops the gradient beyond the bound on the side where the advantage pulls, and only there", async () => {
  const log = Math.log, ratios = [1.5, 1.5, 0.5, 0.5, 1.25];
  const { loss, gradient, clipped } = await evaluate(
    ratios.map(log),
    [0, 0, 0, 0, 0],
    [1, -1, 1, -1, 1],
    [1, 1, 1, 1, 1],
  );
  near(loss!, [-1.3, 1.5, -0.5, 0.8, -1.25]);
  near(gradient!, [0, 1.5, -0.5, 0, -1.25]);
  near(clipped!, [1, 0, 0, 1, 0]);
});

Deno.test("clipped with a cap bounds what a negative advantage costs", async () => {
  const loss3 = { ...LOSS, ratioCap: 3 };
  const { loss, gradient } = await evaluate([Math.log(5), Math.log(2)], [0, 0], [-1, -1], [1, 1], loss3);
  near(loss!, [3, 2]);
  near(gradient!, [0, 2]);
});

Deno.test("clipped on the loss caps what a negative advantage costs alone, below the upper bound too (verl)", async () => {
  const capped = { ...LOSS, ratioCap: 1.1, clipOn: "loss" } as const, log = Math.log(1.25);
  const onLoss = await evaluate([log, log], [0, 0], [1, -1], [1, 1], capped);
  near(onLoss.loss!, [-1.25, 1.1]);
  near(onLoss.gradient!, [-1.25, 0]);
  const onRatio = await evaluate([log, log], [0, 0], [1, -1], [1, 1], { ...LOSS, ratioCap: 1.1 });
  near(onRatio.loss!, [-1.1, 1.25]);
});

Deno.test("clipped at sequence level takes one ratio from the mean log-ratio of counted tokens", async () => {
  const perSequence = { ...LOSS, ratioLevel: "sequence" } as const;
  const { loss } = await evaluate([0.1, 0.3, 900], [0, 0, 0], [1, 1, 1], [1, 1, 0], perSequence);
  near(loss!, [-Math.exp(0.2), -Math.exp(0.2), -Math.exp(0.2)]);
});

Deno.test("clipped is finite where the mask is 0, whatever stands there", async () => {
  const { loss, gradient } = await evaluate([900, -1], [-900, -1], [1, 1], [0, 1]);
  near(loss!, [-1, -1]);
  near(gradient!, [0, -1]);
});

Deno.test("clipped reads old and reference log-probs only where its settings need them, and reports a KL only then", () => {
  const kl = { estimator: "k1", coefficient: 1, timesRatio: false } as const;
  assert.deepEqual(clipped.inputs(LOSS), { advantages: "token" });
  assert.deepEqual(Object.keys(clipped.inputs({ ...LOSS, onPolicy: false, kl })), [
    "advantages",
    "old_logprobs",
    "ref_logprobs",
  ]);
  assert.equal(clipped.metrics.kl(LOSS), null);
  assert.deepEqual(clipped.metrics.kl({ ...LOSS, kl }), { over: "token" });
  assert.equal(clipped.metrics.ratio_mean({ ...LOSS, ratioLevel: "sequence" })?.over, "sequence");
});

Deno.test("a cap below 1 is refused: it would bound ratios that nothing moved", () => {
  for (const [ratio_cap, accepted] of [[1, true], [0.5, false]] as const) {
    assert.equal(clipped.params.safeParse({ ratio_cap }).success, accepted, `${ratio_cap}`);
  }
});
