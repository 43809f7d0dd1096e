import assert from "node:assert/strict";
import type { Aggregation } from "../../gpu/losses/aggregations.ts";
import type { ClippedLoss } from "../../gpu/losses/clipped.ts";
import { LanguageModel, type TrainBatch, type TrainSettings } from "../../gpu/language_model.ts";
import type { AdamW } from "../../gpu/optimizers/adamw.ts";
import { norm, unmasked, withModel } from "./golden_model.ts";
import { readJson, readSafetensors } from "./safetensors.ts";

const ADAMW: AdamW = { learningRate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0.01, maxNorm: 1 };
const CROSS_ENTROPY: TrainSettings = {
  loss: { objective: "cross_entropy" },
  aggregation: "token_mean",
  temperature: 1,
};

function near(value: number, want: number, absolute: number, relative: number, what: string): void {
  assert(Math.abs(value - want) <= absolute + relative * Math.abs(want), `${what}: ${value}, want ${want}`);
}
function nearAll(values: ArrayLike<number>, want: ArrayLike<number>, tolerance: number, what: string): void {
  assert.equal(values.length, want.length, what);
  for (let i = 0; i < want.length; i++) near(values[i]!, want[i]!, tolerance, 0, `${what}[${i}]`);
}
/** The rows of a [B, T] golden where the mask is 1. */
function golden(data: Float32Array, masks: readonly (readonly number[])[]): number[][] {
  const width = masks[0]!.length;
  return unmasked(masks.map((_, r) => Array.from(data.subarray(r * width, (r + 1) * width))), masks);
}
function gradientNorms(model: LanguageModel): Record<string, number> {
  return Object.fromEntries([...model.weights.namedGradients()].map(([name, { data }]) => [name, norm(data)]));
}

for (const name of ["qwen2", "qwen3", "llama", "qwen2_bf16_sharded"]) {
  Deno.test(`LanguageModel agrees with transformers on ${name}: log-probs, entropy, loss and gradients`, async () => {
    const file = readJson(`goldens/torch/forward_${name}.json`);
    const tensors = readSafetensors(`goldens/torch/forward_${name}.safetensors`);
    await withModel(name, async (model) => {
      const batch: TrainBatch = {
        prompts: unmasked(file.prompt_ids, file.prompt_mask),
        group: 1,
        completions: unmasked(file.completion_ids, file.completion_mask),
      };
      for (const [suffix, temperature] of [["", 1], ["_t07", 0.7]] as const) {
        const { logprobs, statistics } = await model.logprobs(batch, { temperature, statistics: ["entropy"] });
        for (const [kind, rows] of [["logprobs", logprobs], ...statistics] as const) {
          const want = golden(tensors.get(kind + suffix)!.data, file.completion_mask);
          want.forEach((row, r) => nearAll(rows[r]!, row, 1e-4, `${kind}${suffix} row ${r}`));
        }
      }
      const { loss } = await model.accumulateGradient(batch, CROSS_ENTROPY);
      near(loss, file.nll.loss, 0, 1e-5, "nll");
      const norms = gradientNorms(model);
      assert.deepEqual(Object.keys(norms).sort(), Object.keys(file.nll.grad_norms).sort());
      for (const [parameter, want] of Object.entries<number>(file.nll.grad_norms)) {
        near(norms[parameter]!, want, 1e-7, 1e-4, parameter);
      }
    });
  });
}

interface GrpoCase {
  name: string;
  loss_type: string;
  beta: number;
  epsilon_high?: number;
  delta?: number;
  importance_sampling_level?: "sequence";
  temperature?: number;
  on_policy?: boolean;
  use_bias_correction_kl: boolean;
  loss: number;
  grad_norm: number;
  grad_norms?: Record<string, number>;
  trl_metrics: Record<string, number>;
}
const TRL_AGGREGATION: Record<string, Aggregation> = {
  grpo: "sequence_mean",
  bnpo: "token_mean",
  dr_grpo: "sequence_sum_norm",
  dapo: "rollout_token_mean",
};
const GRPO = readJson("goldens/torch/train_grpo.json");
const GRPO_TENSORS = readSafetensors("goldens/torch/train_grpo.safetensors");

function grpoBatch(temperature = 1): TrainBatch {
  const read = (name: string) => golden(GRPO_TENSORS.get(name)!.data, GRPO.completion_mask);
  return {
    prompts: unmasked(GRPO.prompt_ids, GRPO.prompt_mask),
    group: 1,
    completions: unmasked(GRPO.completion_ids, GRPO.completion_mask),
    inputs: {
      advantages: GRPO.advantages,
      old_logprobs: read(temperature === 1 ? "old_logprobs" : "old_logprobs_t07"),
      ref_logprobs: read("ref_logprobs"),
    },
  };
}
function grpoSettings(test: GrpoCase): TrainSettings {
  const { loss_type, beta, epsilon_high = 0.2, delta = null, on_policy = false, temperature = 1 } = test;
  const loss: ClippedLoss = {
    objective: "clipped",
    clipLow: 0.2,
    clipHigh: epsilon_high,
    ratioCap: delta,
    ratioLevel: test.importance_sampling_level ?? "token",
    onPolicy: on_policy,
    kl: beta ? { estimator: "k3", coefficient: beta, timesRatio: test.use_bias_correction_kl } : null,
  };
  const totals = { norm: GRPO.max_completion_length };
  return { loss, aggregation: TRL_AGGREGATION[loss_type]!, temperature, totals };
}

Deno.test("LanguageModel.accumulateGradient() agrees with TRL's GRPO on every loss: value, metrics, gradients", async () => {
  await withModel("qwen2", async (model) => {
    const adam = { ...ADAMW, learningRate: 0, weightDecay: 0 };
    for (const test of GRPO.cases as GrpoCase[]) {
      const { loss, metrics } = await model.accumulateGradient(grpoBatch(test.temperature), grpoSettings(test));
      near(loss, test.loss, 3e-6, 1e-5, `${test.name} loss`);
      near(metrics.entropy!, test.trl_metrics["entropy"]!, 1e-4, 0, `${test.name} entropy`);
      if (!test.importance_sampling_level) {
        near(
          metrics.clip_fraction!,
          test.trl_metrics["clip_ratio/region_mean"]!,
          1e-6,
          0,
          `${test.name} clip fraction`,
        );
      }
      if (test.beta) near(metrics.kl!, test.trl_metrics["kl"]!, 1e-5, 1e-4, `${test.name} kl`);
      if (test.on_policy) assert.equal(metrics.ratio_mean, 1);
      const norms = gradientNorms(model);
      for (const [parameter, want] of Object.entries(test.grad_norms ?? {})) {
        near(norms[parameter]!, want, 1e-6, 1e-4, `${test.name} ${parameter}`);
      }
      const gradients = model.weights.namedGradients();
      for (const parameter of GRPO.full_tensors) {
        const want = GRPO_TENSORS.get(`${test.name}.grad.${parameter}`);
        if (want) {
          nearAll(gradients.get(parameter)!.data, want.data, 1e-4 * norms[parameter]!, `${test.name} ${parameter}`);
        }
      }
      const { gradNorm, applied } = await model.applyUpdate(adam);
      assert(applied);
      near(gradNorm, test.grad_norm, 0, 1e-4, `${test.name} grad_norm`);
    }
  });
});

interface Trajectory {
  max_norm: number;
  steps: { loss: number; grad_norm: number }[];
  param_norms: Record<string, number>;
}
async function follow(
  model: LanguageModel,
  name: string,
  batch: TrainBatch,
  settings: TrainSettings,
  { max_norm: maxNorm, steps, param_norms }: Trajectory,
  tensors: typeof GRPO_TENSORS,
): Promise<void> {
  for (const [i, step] of steps.entries()) {
    const { loss } = await model.accumulateGradient(batch, settings);
    near(loss, step.loss, i === 0 ? 1e-5 : 1e-4, 0, `${name} step ${i} loss`);
    const { gradNorm } = await model.applyUpdate({ ...ADAMW, maxNorm }, "all");
    near(gradNorm, step.grad_norm, 0, 2e-4, `${name} step ${i} grad_norm`);
  }
  const values = model.weights.toHuggingFace();
  for (const [parameter, want] of Object.entries(param_norms)) {
    near(norm(values.get(parameter)!.data), want, 0, 1e-4, `${name} ${parameter}`);
    const tensor = tensors.get(`${name}.param.${parameter}`);
    if (tensor) nearAll(values.get(parameter)!.data, tensor.data, 2e-5, `${name} ${parameter}`);
  }
}

for (const run of GRPO.training as (GrpoCase & Trajectory)[]) {
  Deno.test(`LanguageModel follows TRL's updates in ${run.name}`, async () => {
    await withModel("qwen2", (model) => follow(model, run.name, grpoBatch(), grpoSettings(run), run, GRPO_TENSORS));
  });
}

const SFT = readJson("goldens/torch/train_sft.json");
const SFT_TENSORS = readSafetensors("goldens/torch/train_sft.safetensors");
for (const { name, labels, loss, grad_norm, num_items_in_batch, training } of SFT.cases) {
  if (name.startsWith("lora")) continue;
  Deno.test(`LanguageModel fine-tunes as transformers does: ${name}`, async () => {
    await withModel("qwen2", async (model) => {
      const ids = unmasked(SFT.input_ids, SFT.attention_mask), wanted = unmasked(labels, SFT.attention_mask);
      const batch: TrainBatch = {
        prompts: ids.map((row) => row.slice(0, 1)),
        group: 1,
        completions: ids.map((row) => row.slice(1)),
        completionMask: wanted.map((row) => row.slice(1).map((label) => +(label !== -100))),
      };
      const totals = num_items_in_batch ? { totals: { tokens: num_items_in_batch } } : {};
      const settings = { ...CROSS_ENTROPY, ...totals };
      if (training) return await follow(model, name, batch, settings, training, SFT_TENSORS);
      near((await model.accumulateGradient(batch, settings)).loss, loss, 1e-5, 0, "loss");
      near((await model.applyUpdate(ADAMW)).gradNorm, grad_norm, 0, 1e-4, "grad_norm");
    });
  });
}

/** A model with a scalar head on the body of tests/models/qwen2. */
async function withCritic(body: (critic: LanguageModel) => Promise<void>): Promise<void> {
  await withModel("qwen2", async ({ runtime, config, weights }) => {
    const critic = LanguageModel.create(runtime, { ...config, head: "scalar" });
    try {
      const score = Float32Array.from({ length: config.hiddenSize }, (_, i) => Math.sin(i));
      const tensors = new Map([...weights.toHuggingFace(), ["score.weight", {
        shape: [1, score.length],
        data: score,
      }]]);
      critic.weights.fromHuggingFace(tensors);
      await body(critic);
    } finally {
      critic.release();
    }
  });
}

Deno.test("values() of a token is that before it: of the last prompt token where the text so far is the prompt", async () => {
  await withCritic(async (critic) => {
    const prompts = [[502, 82, 88], [17]], completions = [[5, 6, 7, 503], [8, 503], [9, 503], [10, 11, 503]];
    const rows = await critic.values({ prompts, group: 2, completions });
    const cut = await critic.values({ prompts, group: 2, completions }, { promptsPerPass: 1 });
    for (const [r, completion] of completions.entries()) {
      assert.equal(rows[r]!.length, completion.length);
      nearAll(cut[r]!, rows[r]!, 1e-5, `row ${r} in passes`);
      for (let t = 0; t < completion.length; t++) {
        const prompt = [...prompts[Math.floor(r / 2)]!, ...completion.slice(0, t)];
        const [alone] = await critic.values({ prompts: [prompt], group: 1, completions: [[1]] });
        near(rows[r]![t]!, alone![0]!, 1e-5, 1e-5, `value ${t} of ${r}`);
      }
    }
    assert(norm(rows[0]!) > 0.1);
  });
});

Deno.test("a scalar head learns returns, and neither samples nor has log-probs; a language model has no values", async () => {
  await withCritic(async (critic) => {
    const batch = {
      prompts: [[5, 6], [7]],
      group: 1,
      completions: [[8, 9, 503], [10, 503]],
      inputs: { returns: [[1, 1, 1], [-1, -1]] },
    };
    const settings: TrainSettings = {
      loss: { objective: "value", clip: null },
      aggregation: "token_mean",
      temperature: 1,
    };
    const losses: number[] = [];
    for (let update = 0; update < 20; update++) {
      const { loss, logprobs, metrics } = await critic.accumulateGradient(batch, settings);
      assert.deepEqual([logprobs, Object.keys(metrics)], [[], ["value_clip_fraction", "value_mean"]]);
      losses.push(loss);
      assert.equal((await critic.applyUpdate({ ...ADAMW, learningRate: 1e-3 })).applied, true);
    }
    assert(losses.at(-1)! < losses[0]! / 10, `${losses}`);
    await assert.rejects(() => critic.logprobs(batch), /head is "scalar", want "lm"/);
    await assert.rejects(
      () => critic.accumulateGradient(batch, CROSS_ENTROPY),
      /objective "cross_entropy": .*want "lm"/,
    );
    const nan = { ...batch, inputs: { returns: [[1, NaN, 1], [-1, -1]] } };
    assert.equal((await critic.locateNonFinite(nan, settings))?.name, "returns of completion 0");
  });
  await withModel("qwen2", async (model) => {
    const batch = { prompts: [[5]], group: 1, completions: [[6, 503]] };
    await assert.rejects(() => model.values(batch), /Cannot compute values: the model's head is "lm"/);
  });
});

Deno.test("sample() twice at once is refused, and the first is drawn as alone; one after the other both are", async () => {
  await withModel("qwen2", async (model) => {
    const filters = { topK: 0, topP: 1, minP: 0, repetitionPenalty: 1 };
    const options = { ...filters, maxNewTokens: 3, temperature: 1, eosIds: [], uniforms: () => 0.5 };
    const ids = async () => (await model.sample([[5, 6]], 2, options)).map(({ tokenIds }) => [...tokenIds]);
    const alone = await ids(), first = ids();
    await assert.rejects(ids, {
      name: "RangeError",
      message: "Cannot sample: this model is sampling already, want one call at a time; await the first",
    });
    assert.deepEqual([await first, await ids()], [alone, alone]);
    await assert.rejects(() => model.sample([[]], 2, options), RangeError);
    assert.deepEqual(await ids(), alone, "a refused call lets the next one in");
  });
});
