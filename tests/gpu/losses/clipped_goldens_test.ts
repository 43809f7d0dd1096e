/** The clipped objective with its aggregations against the formulas of TRL and verl. */
import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { tokenCoefficients } from "../../../gpu/losses/aggregations.ts";
import { clipped, type ClippedLoss } from "../../../gpu/losses/clipped.ts";
import { Graph, type Value } from "../../../gpu/onnx/graph.ts";
import { doubles, runGraph } from "../run_graph.ts";
import { readCases } from "../safetensors.ts";
import { GOLDENS, TRL, VERL } from "./golden_names.ts";

type Matrix = number[][];
interface Case {
  name: string;
  params: Record<string, number | string | boolean | null>;
  inputs: {
    logprobs: Matrix;
    old_logprobs: Matrix | null;
    ref_logprobs?: Matrix;
    completion_mask: Matrix;
    tool_mask?: Matrix;
    advantages: number[] | Matrix;
    num_items_in_batch: number;
  };
  outputs: { loss: number; grad_logprobs: Matrix; metrics: Record<string, number> };
}

/** Loss, gradient by logprobs, and share of clipped tokens, in float64. */
async function evaluate(loss: ClippedLoss, inputs: Case["inputs"], mask: number[], weights: number[]) {
  const shape = [inputs.logprobs.length, inputs.logprobs[0]!.length], graph = new Graph();
  const read = (name: string) => graph.input(name, { dtype: "float64", shape });
  const logprobs = read("logprobs"), on = read("mask");
  const terms = clipped.graph(loss, { logprobs, mask: on, input: read, statistic: read });
  const total = terms.loss.mul(read("weights")).sum();
  graph.output("gradient", gradients(total, [logprobs])[0]!);
  graph.output("loss", total.reshape([1]));
  const { clip_fraction: bound, kl = on.mul(0) }: Readonly<Record<string, Value>> = terms.metrics;
  graph.output("clipped", (loss.ratioLevel === "token" ? bound!.mul(on) : bound!).sum().reshape([1]));
  graph.output("kl", kl.mul(on).sum().reshape([1]));
  const advantages = inputs.advantages.flatMap((a) => (typeof a === "number" ? Array(shape[1]).fill(a) : a));
  const all: Record<string, number[]> = {
    logprobs: inputs.logprobs.flat(),
    mask,
    weights,
    advantages,
    old_logprobs: inputs.old_logprobs?.flat() ?? [],
    ref_logprobs: inputs.ref_logprobs?.flat() ?? [],
  };
  const names = ["logprobs", "mask", "weights", ...Object.keys(clipped.inputs(loss))];
  const fed = Object.fromEntries(names.map((name) => [name, doubles(shape, all[name]!)]));
  return await runGraph(graph, fed, { gradient: shape, loss: [1], clipped: [1], kl: [1] });
}
function near(value: number, want: number, what: string): void {
  const same = Object.is(value, want) || Math.abs(value - want) <= 1e-8 + 1e-6 * Math.abs(want);
  assert(same, `${what}: ${value}, want ${want}`);
}

/** Parameters of TRL that our objective has; a case with any other is another objective's. */
const KNOWN = new Set([
  ..."loss_type importance_sampling_level beta epsilon epsilon_high delta use_bias_correction_kl training".split(" "),
  ..."gradient_accumulation_steps steps_per_generation".split(" "),
]);
const known = ({ name, params, inputs }: Case) =>
  Object.keys(params).every((key) => KNOWN.has(key)) && TRL.has(String(params.loss_type ?? "dapo")) &&
  !/adaptive|mask_truncated|vllm/.test(name) && inputs.num_items_in_batch !== undefined;

const edge: Case[] = readCases("goldens/formulas/edge.json");
const cases: Case[] = [
  ...readCases("goldens/formulas/trl_grpo_losses.json"),
  ...edge.filter(({ name, inputs }) => name.startsWith("trl/grpo/") && inputs.logprobs),
].filter(known);
Deno.test(`clipped and tokenCoefficients() are TRL's loss, gradient and metrics in ${cases.length} cases`, async () => {
  assert(cases.length > 130, `${cases.length}`);
  for (const { name, params, inputs, outputs } of cases) {
    const lossType = String(params.loss_type ?? "dapo"), beta = Number(params.beta ?? 0);
    const low = Number(params.epsilon ?? 0.2);
    const loss: ClippedLoss = {
      objective: "clipped",
      clipLow: low,
      clipHigh: Number(params.epsilon_high ?? low),
      ratioCap: params.delta === undefined ? null : Number(params.delta),
      ratioLevel: params.importance_sampling_level === "sequence" ? "sequence" : "token",
      onPolicy: inputs.old_logprobs === null,
      kl: beta ? { estimator: "k3", coefficient: beta, timesRatio: params.use_bias_correction_kl === true } : null,
    };
    const training = params.training !== false,
      accumulation = training ? Number(params.gradient_accumulation_steps ?? 1) : 1;
    const generation = training ? Number(params.steps_per_generation ?? 1) : 1;
    const width = inputs.logprobs[0]!.length;
    const mask = inputs.completion_mask.flatMap((row, r) => row.map((m, t) => m * (inputs.tool_mask?.[r]?.[t] ?? 1)));
    const updates = generation / accumulation;
    const coefficients = tokenCoefficients(TRL.get(lossType)!, mask, width, {
      rolloutTokens: inputs.num_items_in_batch,
      updates,
      norm: 16,
    });
    // tokenCoefficients() are float32: recompute the exact weights from their reciprocals' integers
    const scale = lossType === "dapo" ? 1 : 1 / accumulation;
    const weights = Array.from(coefficients, (w) => (w === 0 ? 0 : scale * exact(w)));
    const got = await evaluate(loss, inputs, mask, weights);
    near(got.loss![0]!, outputs.loss, `${name} loss`);
    outputs.grad_logprobs.flat().forEach((want, i) => near(got.gradient![i]!, want, `${name} gradient[${i}]`));
    const tokens = Math.max(mask.reduce((a, b) => a + b, 0), 1);
    const ratios = loss.ratioLevel === "token" ? tokens : inputs.logprobs.length;
    near(got.clipped![0]! / ratios, outputs.metrics["clip_ratio/region_mean"]!, `${name} clip fraction`);
    if (loss.kl) near(got.kl![0]! / tokens, outputs.metrics["kl"]!, `${name} kl`);
  }
});

/** The fraction p/q with q up to 10,000 that a float32 stands for. */
function exact(x: number): number {
  for (let q = 1; q <= 10_000; q++) {
    const p = Math.round(x * q);
    if (p > 0 && Math.fround(p / q) === x) return p / q;
  }
  return x;
}

/**
 * Where ours is TRL's and verl's is another: no token gives 0 and not NaN, log-ratios are not clamped to ±20, a NaN on
 * padding is seen.
 */
const OTHERS = /all_rows_masked|log_ratio60|nan_logprob_on_padding/;
const vanilla: Case[] = [
  ...readCases("goldens/formulas/verl_policy_losses.json"),
  ...edge.filter(({ name }) => /^verl\/[^/]+\/vanilla/.test(name) && !OTHERS.test(name)),
].filter(({ name, params }: Case) =>
  /^(verl\/.*)?vanilla/.test(name) && !/rollout_is/.test(name) && params.global_batch_info === undefined
);
Deno.test(`clipped with a ratio cap is verl's vanilla loss and gradient in ${vanilla.length} cases`, async () => {
  assert(vanilla.length >= 30, `${vanilla.length}`);
  for (const { name, params, inputs, outputs } of vanilla) {
    const both = Number(params.clip_ratio ?? 0.2);
    const bound = (value: unknown) => (value === null ? both : Number(value ?? 0.2));
    const loss: ClippedLoss = {
      objective: "clipped",
      clipLow: bound(params.clip_ratio_low),
      clipHigh: bound(params.clip_ratio_high),
      ratioCap: Number(params.clip_ratio_c ?? 3),
      ratioLevel: "token",
      onPolicy: false,
      kl: null,
    };
    const mask = inputs.completion_mask.flat(), width = inputs.logprobs[0]!.length;
    const sequences = inputs.completion_mask.filter((row) => row.includes(1)).length;
    const aggregation = VERL.get(String(params.loss_agg_mode))!;
    const weights = Array.from(tokenCoefficients(aggregation, mask, width, { sequences }), (w) => (w ? exact(w) : 0));
    const got = await evaluate(loss, inputs, mask, weights);
    near(got.loss![0]!, outputs.loss, `${name} loss`);
    if (Number.isNaN(outputs.loss)) continue; // an update that is not applied
    outputs.grad_logprobs.flat().forEach((want, i) => near(got.gradient![i]!, want, `${name} gradient[${i}]`));
  }
});

Deno.test("every aggregation has a golden with a loss and its gradient among these cases", () => {
  const trl = new Set(cases.map(({ params }) => params.loss_type)),
    verl = vanilla.map(({ params }) => params.loss_agg_mode);
  for (const [name, golden] of Object.entries(GOLDENS)) {
    assert(golden.trl === undefined || trl.has(golden.trl), `${name}: no case of TRL's ${golden.trl}`);
    assert(golden.verl === undefined || verl.includes(golden.verl), `${name}: no case of verl's ${golden.verl}`);
  }
});
