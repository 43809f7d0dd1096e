import assert from "node:assert/strict";
import type { Loss } from "../../../gpu/losses/mod.ts";
import type { ClippedLoss } from "../../../gpu/losses/clipped.ts";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { addMetrics, lossTerms, metricsOf, reportedMetrics } from "../../../gpu/training/loss_terms.ts";
import { doubles, runGraph } from "../run_graph.ts";

const LOSS: ClippedLoss = {
  objective: "clipped",
  clipLow: 0.2,
  clipHigh: 0.2,
  ratioCap: null,
  ratioLevel: "token",
  onPolicy: false,
  kl: { estimator: "k2", coefficient: 0.5, timesRatio: false },
  entropy: { coefficient: 0.1, aggregation: "token_mean" },
};
const FRACTIONS = ["clip_fraction", "clip_fraction_low", "clip_fraction_high"];
const EXTREMES = ["clip_fraction_low_min", "clip_fraction_high_max"];

Deno.test("reportedMetrics() names what the graph sums up, entropy last", () => {
  const metrics = ["token_accuracy", "entropy"].map((name) => [name, { over: "token" }]);
  assert.deepEqual(reportedMetrics({ objective: "cross_entropy" }), metrics);
  const shared = ["ratio_mean", "kl", "approx_kl", "policy_loss", "entropy"];
  assert.deepEqual(reportedMetrics(LOSS).map(([name]) => name), [...FRACTIONS, ...EXTREMES, ...shared]);
});

Deno.test("lossTerms() add the KL by the loss's weights and take the entropy off by its own, and metricsOf() names each", async () => {
  const shape = [2, 2], graph = new Graph(), x = graph.input("x", { dtype: "float64", shape });
  const read = (name: string) => graph.input(name, { dtype: "float64", shape });
  const entropies = read("entropies");
  const { total, metrics } = lossTerms(LOSS, read, (given) => ({
    tokens: { ...given, logprobs: x, statistic: () => entropies },
    logprobs: x,
    entropy: entropies,
  }));
  const [byX, byEntropy] = gradients(total, [x, entropies]);
  graph.output("byX", byX!);
  graph.output("byEntropy", byEntropy!);
  graph.output("loss", total.reshape([1]));
  const all = metrics();
  graph.output("metrics", all);
  const fed: Record<string, number[]> = {
    x: [0, 0.5, -0.5, 9],
    entropies: [1, 2, 3, 9],
    coefficients: [0.5, 0.25, 0.25, 0],
    completion_mask: [1, 1, 1, 0],
    advantages: [1, 1, -1, 0],
    old_logprobs: [0, 0, 0, 0],
    ref_logprobs: [0.1, 0.1, 0.1, 9],
    entropy_coefficients: [0.2, 0.3, 0.5, 0],
  };
  const inputs = Object.fromEntries(Object.entries(fed).map(([name, values]) => [name, doubles(shape, values)]));
  const sizes = { byX: shape, byEntropy: shape, loss: [1], metrics: all.dims };
  const got = await runGraph(graph, inputs, sizes);
  const near = (value: number | null | undefined, want: number, what: string) =>
    assert(typeof value === "number" && Math.abs(value - want) < 1e-12, `${what}: ${value}, want ${want}`);
  const kl = [0.1, 0.4, 0.6].map((d) => d * d / 2), policy = -0.5 - 0.25 * 1.2 + 0.25 * 0.8;
  const cost = 0.5 * (0.5 * kl[0]! + 0.25 * kl[1]! + 0.25 * kl[2]!), bonus = 0.1 * (0.2 + 0.6 + 1.5);
  near(got.loss![0], policy + cost - bonus, "loss");
  [-0.5 - 0.025, 0.25 * 0.5 * 0.4, -0.25 * 0.5 * 0.6, 0].forEach((want, i) => near(got.byX![i], want, `slope ${i}`));
  [0.02, 0.03, 0.05, 0].forEach((want, i) => near(got.byEntropy![i], -want, `slope of entropy ${i}`));
  const sums: number[] = [];
  addMetrics(LOSS, sums, got.metrics!);
  const named = metricsOf(LOSS, sums, 3, 2);
  near(named["clip_fraction"], 2 / 3, "clip_fraction");
  near(named["clip_fraction_low"], 1 / 3, "low");
  near(named["clip_fraction_high"], 1 / 3, "high");
  near(named["clip_fraction_low_min"], 0, "smallest");
  near(named["clip_fraction_high_max"], 0.5, "largest");
  near(named["kl"], (kl[0]! + kl[1]! + kl[2]!) / 3, "kl");
  near(named["approx_kl"], 0, "approx_kl");
  near(named["policy_loss"], policy, "policy_loss");
  near(named["entropy"], 2, "entropy");
  assert.equal(named["dual_clip_fraction"], null);
});

Deno.test("metricsOf() no token gives null where a mean says so, NaN for an extreme, else 0", () => {
  const loss: Loss = { ...LOSS, kl: null, entropy: undefined } as unknown as Loss;
  const sums = reportedMetrics(loss).map(([, { reduce }]) => reduce === "min" ? Infinity : reduce ? -Infinity : 0);
  const named = metricsOf(loss, sums, 0, 2);
  assert.deepEqual([named["ratio_mean"], named["clip_fraction"], named["clip_fraction_low_min"]], [null, 0, NaN]);
});
