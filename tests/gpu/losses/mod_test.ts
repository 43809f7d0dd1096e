/** An objective is its file and its line: made-up ones train through the real graph, and nothing else knows them. */
import assert from "node:assert/strict";
import {
  type Loss,
  objectiveOf,
  OBJECTIVES,
  PREFERENCE_OBJECTIVES,
  ROLLOUT_METRICS,
  ROLLOUT_OBJECTIVES,
} from "../../../gpu/losses/mod.ts";
import type { Objective } from "../../../gpu/losses/objective.ts";
import type { LanguageModel, TrainBatch } from "../../../gpu/language_model.ts";
import { norm, withModel } from "../golden_model.ts";

interface MadeUp {
  readonly objective: string;
  readonly beta: number;
}

/** As KTO: per completion, of its log-ratio to the reference, a label ±1 and one KL of the whole batch. */
const LABELLED: Objective<MadeUp> = {
  unit: "sequence",
  inputs: () => ({ ref_logprobs: "token", labels: "sequence", batch_kl: "value" }),
  metrics: { reward: () => ({ over: "sequence" }), agreement: () => ({ over: "token" }), nothing: () => null },
  graph({ beta }, { logprobs, mask, input }) {
    const difference = logprobs.sub(input("ref_logprobs")).mul(mask);
    const reward = difference.sum([1]).sub(input("batch_kl")).mul(beta);
    const loss = reward.mul(input("labels")).sigmoid().neg().add(1);
    return { loss, metrics: { reward, agreement: difference } };
  },
};

/** As DPO: per pair, of the log-ratios of the chosen and the rejected completion. */
const PAIRED: Objective<MadeUp> = {
  unit: "pair",
  inputs: () => ({ ref_logprobs: "token", weight: "pair" }),
  metrics: { margin: () => ({ over: "pair" }) },
  graph({ beta }, { logprobs, mask, input }) {
    const ratios = logprobs.sub(input("ref_logprobs")).mul(mask).sum([1]).reshape([-1, 2]);
    const [chosen, rejected] = ratios.split(1, [1, 1]), margin = chosen!.sub(rejected!).mul(beta);
    return { loss: margin.sigmoid().log().neg().mul(input("weight")), metrics: { margin } };
  },
};

const BATCH = {
  prompts: [[5, 6, 7], [8]],
  group: 2,
  completions: [[9, 10, 503], [11, 503], [12, 13, 14, 503], [15]],
} satisfies TrainBatch;
const REF = BATCH.completions.map((row) => row.map((id) => -5 - id / 100));

/** Registers an objective for as long as `body` runs. */
async function registered(name: string, entry: Objective<MadeUp>, body: (loss: Loss) => Promise<void>): Promise<void> {
  const table = OBJECTIVES as unknown as Record<string, Objective<MadeUp>>;
  table[name] = entry;
  try {
    await body({ objective: name, beta: 0.1 } as MadeUp as unknown as Loss);
  } finally {
    delete table[name];
  }
}

/** The loss and its slope along the gradient, by the gradient and by a difference of two losses. */
async function slopes(model: LanguageModel, batch: TrainBatch, loss: Loss) {
  const settings = { loss, aggregation: "token_mean", temperature: 1 } as const;
  const result = await model.accumulateGradient(batch, settings);
  const gradient = (model.weights.gradients.data as Float32Array).slice(), length = norm(gradient);
  const weights = (model.weights.values.data as Float32Array).slice(), epsilon = 1e-3;
  const at = async (step: number) => {
    model.weights.values.upload(weights.map((w, i) => w + step * gradient[i]! / length));
    return (await model.accumulateGradient(batch, settings)).loss;
  };
  const difference = (await at(epsilon) - await at(-epsilon)) / (2 * epsilon);
  model.weights.values.upload(weights);
  return { result, length, difference };
}

const sum = (row: ArrayLike<number>) => Array.from(row).reduce((a, b) => a + b, 0);
const ratios = (logprobs: readonly Float32Array[]) => logprobs.map((row, r) => sum(row) - sum(REF[r]!));
const near = (value: number, want: number, tolerance: number) =>
  assert(Math.abs(value - want) <= tolerance * (1 + Math.abs(want)), `${value}, want ${want}`);
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

Deno.test("a made-up objective per completion trains through the real graph: value, metrics and gradient", () =>
  registered("labelled", LABELLED, (loss) =>
    withModel("qwen2", async (model) => {
      const labels = [1, -1, -1, 1], batch = { ...BATCH, inputs: { ref_logprobs: REF, labels, batch_kl: 0.3 } };
      const { result, length, difference } = await slopes(model, batch, loss);
      const rewards = ratios(result.logprobs).map((ratio) => 0.1 * (ratio - 0.3));
      near(result.loss, sum(rewards.map((reward, r) => 1 - sigmoid(reward * labels[r]!))) / 4, 1e-5);
      near(result.metrics.reward!, sum(rewards) / 4, 1e-4);
      near(result.metrics.agreement!, sum(ratios(result.logprobs)) / 10, 1e-4);
      assert.equal(result.metrics.nothing, null);
      assert(result.metrics.entropy! > 0);
      near(difference, length, 2e-2);
      const whole = result.loss, settings = { loss, aggregation: "token_mean", temperature: 1 } as const;
      near((await model.accumulateGradient(batch, { ...settings, promptsPerPass: 1 })).loss, whole, 1e-5);
      const half = { ...settings, totals: { sequences: 8 } };
      near((await model.accumulateGradient(batch, half)).loss, whole / 2, 1e-5);
    })));

Deno.test("a made-up objective per pair trains through the real graph, and refuses an odd group", () =>
  registered("paired", PAIRED, (loss) =>
    withModel("qwen2", async (model) => {
      const batch = { ...BATCH, inputs: { ref_logprobs: REF, weight: [1, 2] } };
      const { result, length, difference } = await slopes(model, batch, loss);
      const [a, b, c, d] = ratios(result.logprobs) as [number, number, number, number];
      const margins = [0.1 * (a - b), 0.1 * (c - d)] as const;
      near(result.loss, (-Math.log(sigmoid(margins[0])) - 2 * Math.log(sigmoid(margins[1]))) / 2, 1e-5);
      near(result.metrics.margin!, (margins[0] + margins[1]) / 2, 1e-4);
      near(difference, length, 2e-2);
      const settings = { loss, aggregation: "token_mean", temperature: 1 } as const;
      near((await model.accumulateGradient(batch, { ...settings, promptsPerPass: 1 })).loss, result.loss, 1e-5);
      const odd = { ...batch, prompts: BATCH.prompts.flatMap((prompt) => [prompt, prompt]), group: 1 };
      await assert.rejects(model.accumulateGradient(odd, settings), /Cannot read 1 completions as pairs/);
      const nan = await model.locateNonFinite({ ...batch, inputs: { ref_logprobs: REF, weight: [1, NaN] } }, settings);
      assert.equal(nan!.name, "weight of pair 1");
    })));

/** The entropy itself as the loss, with the extremes of what is known of each token. */
const SPREAD: Objective<MadeUp> = {
  unit: "token",
  inputs: () => ({}),
  metrics: {
    least: () => ({ over: "token", reduce: "min" }),
    most: () => ({ over: "token", reduce: "max" }),
    longest: () => ({ over: "sequence", reduce: "max" }),
    squares: () => ({ over: "token" }),
  },
  graph: (_, { logprobs, mask, statistic }) => ({
    loss: statistic("entropy"),
    metrics: { least: logprobs, most: logprobs, longest: mask.sum([1]), squares: statistic("log_sum_squares") },
  }),
};

Deno.test("a made-up objective trains on the entropy and reports extremes of counted tokens, however it is cut", () =>
  registered("spread", SPREAD, (loss) =>
    withModel("qwen2", async (model) => {
      const completionMask = BATCH.completions.map((row) => row.map((_, t) => Number(t > 0 || row.length === 1)));
      const { result, length, difference } = await slopes(model, { ...BATCH, completionMask }, loss);
      const counted = [...result.logprobs].flatMap((row, r) => [...row].filter((_, t) => completionMask[r]![t]));
      assert.equal(result.metrics.least, Math.min(...counted));
      assert.equal(result.metrics.most, Math.max(...counted));
      assert.equal(result.metrics.longest, 3);
      near(result.loss, result.metrics.entropy!, 1e-5);
      assert(result.metrics.squares! > -result.metrics.entropy!, "Jensen: log Σ p² ≥ Σ p log p");
      near(difference, length, 2e-2);
      const settings = { loss, aggregation: "token_mean", temperature: 1, promptsPerPass: 1 } as const;
      const { metrics } = await model.accumulateGradient({ ...BATCH, completionMask }, settings);
      for (const name of ["least", "most", "longest"]) near(metrics[name]!, result.metrics[name]!, 1e-5);
    })));

Deno.test("an objective of rollouts stands among all; its metrics are columns, objectiveOf() gives a loss's entry", () => {
  for (const [name, entry] of Object.entries(ROLLOUT_OBJECTIVES)) {
    assert.equal((OBJECTIVES as Record<string, unknown>)[name], entry);
    assert(Object.keys(entry.metrics).every((metric) => (ROLLOUT_METRICS as string[]).includes(metric)), name);
  }
  assert.equal(objectiveOf({ objective: "cross_entropy" }), OBJECTIVES.cross_entropy);
  for (const [name, entry] of Object.entries(PREFERENCE_OBJECTIVES)) {
    assert.equal((OBJECTIVES as Record<string, unknown>)[name], entry);
  }
});
