/** A model whose frozen matrices are rounded is the float32 model of the rounded numbers: log-probs, gradients, samples. */
import assert from "node:assert/strict";
import { LanguageModel } from "../../../gpu/language_model.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import type { AdapterPlan } from "../../../gpu/weights/adapter.ts";
import { cpuRuntime } from "../golden_model.ts";
import { readJson, readModel } from "../safetensors.ts";

const CONFIG = modelConfig(readJson("models/qwen2/config.json"));
const at = (layer: number, module: string) => `model.layers.${layer}.${module}.weight`;
const PLAN: AdapterPlan = {
  rank: 2,
  alpha: 3,
  rslora: false,
  scaling: 1.5,
  dropout: 0,
  targets: new Set([
    at(0, "self_attn.q_proj"),
    at(1, "self_attn.v_proj"),
    at(1, "mlp.down_proj"),
    at(0, "mlp.up_proj"),
  ]),
  saved: new Set(),
};
const PROMPTS = [[1, 2, 3, 4, 5], [9, 8, 7]].map((row) => Int32Array.from(row));
const COMPLETIONS = [[11, 12, 13, 14], [21, 22, 23], [31, 32, 33, 34], [5, 6, 7]].map((row) => Int32Array.from(row));
const SEQUENCES = { prompts: PROMPTS, group: 2, completions: COMPLETIONS };
const LOSS = {
  objective: "clipped",
  clipLow: 0.2,
  clipHigh: 0.2,
  ratioCap: null,
  ratioLevel: "token",
  kl: null,
  onPolicy: true,
} as const;

/** The model with rounded matrices, and the float32 model of the same numbers; with an adapter both of them. */
async function both(
  bits: 4 | 8,
  plan: AdapterPlan | null,
  body: (rounded: LanguageModel, plain: LanguageModel) => Promise<void>,
): Promise<void> {
  const runtime = await cpuRuntime(),
    rounded = LanguageModel.create(runtime, CONFIG, bits),
    plain = LanguageModel.create(runtime, CONFIG);
  rounded.weights.fromHuggingFace(readModel("qwen2"));
  plain.weights.fromHuggingFace(rounded.weights.viewHuggingFace());
  const models = [rounded, plain].map((model) => {
    if (plan === null) return model;
    const adapted = LanguageModel.adapt(model, plan, null), { values, layout } = adapted.weights;
    values.upload(Float32Array.from({ length: layout.size }, (_, i) => 0.1 * Math.sin(i * 0.7 + 1)));
    return adapted;
  });
  try {
    await body(models[0]!, models[1]!);
  } finally {
    models.forEach((model) => model.release());
    runtime.release();
  }
}

function near(got: ArrayLike<number>, want: ArrayLike<number>, tolerance: number): void {
  assert.equal(got.length, want.length);
  for (let i = 0; i < want.length; i++) {
    assert(Math.abs(got[i]! - want[i]!) <= tolerance, `${i}: ${got[i]}, want ${want[i]}`);
  }
}

for (const bits of [8, 4] as const) {
  for (const plan of [null, PLAN, { ...PLAN, saved: new Set(["model.embed_tokens.weight"]) }]) {
    const upon = plan === null
      ? ""
      : plan.saved.size
      ? " beneath an adapter that has a copy of the embedding"
      : " beneath an adapter";
    Deno.test(`int${bits}${upon}: log-probs are those of the rounded numbers in float32`, () =>
      both(bits, plan, async (rounded, plain) => {
        const [got, want] = [await rounded.logprobs(SEQUENCES), await plain.logprobs(SEQUENCES)];
        got.logprobs.forEach((row, i) => near(row, want.logprobs[i]!, 2e-5));
      }));
  }

  const parts = { ...PLAN, saved: new Set([at(0, "self_attn.k_proj"), "model.layers.0.self_attn.k_proj.bias"]) };
  for (const [what, plan] of [["", PLAN], [" with a copy of k", parts]] as const) {
    Deno.test(`int${bits}: an adapter's gradient and update${what} upon it are those upon the rounded numbers in float32`, () =>
      both(bits, plan, async (rounded, plain) => {
        const [mine, theirs] = [await rounded.logprobs(SEQUENCES), await plain.logprobs(SEQUENCES)];
        mine.logprobs.forEach((row, i) => near(row, theirs.logprobs[i]!, 2e-5));
        const batch = { ...SEQUENCES, inputs: { advantages: [1, -0.5, 0.3, -0.8] } };
        const settings = { loss: LOSS, aggregation: "rollout_token_mean", temperature: 1 } as const;
        const adamw = { learningRate: 1e-2, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0, maxNorm: 1 };
        for (const model of [rounded, plain]) await model.accumulateGradient(batch, settings);
        const [got, want] = [rounded, plain].map(({ weights }) => weights.namedGradients());
        let size = 0;
        for (const [name, { data }] of want!) {
          near(got!.get(name)!.data, data, 2e-6);
          size += data.reduce((sum, x) => sum + x * x, 0);
        }
        assert(size > 1e-4, "a gradient");
        const base = rounded.adapted!.base, before = [...base.quantized!.words()].map((words) => words.slice());
        for (const model of [rounded, plain]) assert((await model.applyUpdate(adamw)).applied);
        const [after, wanted] = [rounded, plain].map(({ weights }) => weights.toHuggingFace());
        for (const [name, { data }] of wanted!) near(after!.get(name)!.data, data, 1e-4);
        assert.deepEqual([...base.quantized!.words()], before, "the base is as it was");
      }));
  }

  Deno.test(`int${bits}: samples come from nearly the distribution that training sees, and their log-probs say so`, () =>
    both(bits, PLAN, async (rounded) => {
      const options = { temperature: 1, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, maxNewTokens: 12, eosIds: [] };
      const draw = (row: number, token: number) => (row * 0.37 + token * 0.61 + 0.05) % 1;
      for (const group of [1, 3, 16]) {
        const sampled = await rounded.sample(PROMPTS, group, { ...options, uniforms: draw });
        const { logprobs } = await rounded.logprobs({
          prompts: PROMPTS,
          group,
          completions: sampled.map(({ tokenIds }) => tokenIds),
        });
        const gaps = sampled.flatMap(({ samplerLogprobs }, i) =>
          [...samplerLogprobs].map((x, t) => Math.abs(x - logprobs[i]![t]!))
        );
        const mean = gaps.reduce((a, b) => a + b) / gaps.length;
        // The sampler rounds what it multiplies by too; logits of this model spread by 5 nats.
        assert(mean < 0.08 && mean > 1e-5, `the gap is ${mean}`);
      }
    }));
}

Deno.test("weights of few bits have no gradient and are shared, not copied", () =>
  both(8, null, (rounded) => {
    assert.throws(() => rounded.weights.gradients, /Cannot train weights of int8: want float32, or an adapter/);
    assert.throws(() => rounded.copy(), /Cannot copy weights of few bits: they are shared/);
    return Promise.resolve();
  }));
