/**
 * How long each family takes beside a Qwen2 of the same shape: a training step and a decoded token, alternating.
 *
 * Random weights; sequences longer than the windows. Families differ by what they compute besides the products, which
 * small matrices show more than large ones: the shape is a small one (20 M parameters).
 * @module
 */
import { LanguageModel, type TrainSettings } from "../../../gpu/language_model.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { FAMILIES, type ModelType } from "../../../gpu/models/families.ts";
import type { Runtime } from "../../../gpu/ort/runtime.ts";
import { openRuntime } from "../../../gpu/session.ts";
import type { Figure, Part, TrialContext } from "./figure.ts";

const SIZES = {
  vocab_size: 8192,
  hidden_size: 512,
  intermediate_size: 1408,
  num_hidden_layers: 6,
  num_attention_heads: 8,
  num_key_value_heads: 2,
  head_dim: 64,
  max_position_embeddings: 1024,
  tie_word_embeddings: true,
};

const WINDOW = 48, BASELINE = "qwen2";

/** What a published model of a family sets, and its class does not assume. */
const OPTIONS: Readonly<Partial<Record<ModelType, Readonly<Record<string, unknown>>>>> = {
  mistral: { sliding_window: WINDOW },
  phi3: { partial_rotary_factor: 0.75 },
  gemma2: { sliding_window: WINDOW, query_pre_attn_scalar: 64 },
  gemma3_text: { sliding_window: WINDOW, sliding_window_pattern: 3, query_pre_attn_scalar: 64 },
  granite: { attention_multiplier: 0.125, residual_multiplier: 0.5, logits_scaling: 2 },
};

const MOST_RATIO = 1.2, ROUNDS = 5;
const PROMPTS = 4, GROUP = 2, PROMPT = 64, COMPLETION = 64, ROWS = 8;
const SETTINGS: TrainSettings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 };

const ids = (count: number, from: number) => Array.from({ length: count }, (_, i) => (from * 31 + i * 17) % 8000);

function open(runtime: Runtime, json: Readonly<Record<string, unknown>>): LanguageModel {
  const model = LanguageModel.create(runtime, modelConfig({ ...SIZES, ...json }));
  let state = 1;
  model.weights.initialize((count) =>
    Float32Array.from({ length: count }, () => ((state = Math.imul(state, 1664525) + 1013904223 | 0) / 2 ** 30))
  );
  return model;
}

/** What is timed, by name. */
const WORK: Readonly<Record<string, (model: LanguageModel) => Promise<unknown>>> = {
  "training step": async (model) => {
    const prompts = Array.from({ length: PROMPTS }, (_, i) => ids(PROMPT, i));
    const completions = Array.from({ length: PROMPTS * GROUP }, (_, i) => ids(COMPLETION, i + 100));
    await model.accumulateGradient({ prompts, group: GROUP, completions, inputs: {} }, SETTINGS);
    await model.applyUpdate({ learningRate: 0, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, maxNorm: 1 });
  },
  "decoding": (model) =>
    model.sample(Array.from({ length: ROWS }, (_, i) => ids(PROMPT, i)), 1, {
      maxNewTokens: COMPLETION,
      temperature: 1,
      topK: 0,
      topP: 1,
      minP: 0,
      repetitionPenalty: 1,
      eosIds: [],
      uniforms: (row, token) => (row * 7 + token * 13) % 100 / 100,
    }),
};

/** Seconds of each model, the fewest of rounds in which they take turns: what else a machine does only adds. */
async function alternating(
  models: readonly LanguageModel[],
  work: (model: LanguageModel) => Promise<unknown>,
): Promise<number[]> {
  const seconds = models.map((): number[] => []);
  for (const model of models) await work(model);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, model] of models.entries()) {
      const began = performance.now();
      await work(model);
      seconds[i]!.push((performance.now() - began) / 1000);
    }
  }
  return seconds.map((each) => Math.min(...each));
}

async function beside(name: ModelType, { threads }: TrialContext): Promise<Figure[]> {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads });
  const models = [open(runtime, { model_type: BASELINE }), open(runtime, { model_type: name, ...OPTIONS[name] })];
  const figures: Figure[] = [];
  for (const [what, work] of Object.entries(WORK)) {
    const [qwen2, family] = await alternating(models, work);
    figures.push({ what: `${what} / that of qwen2`, value: family! / qwen2!, unit: "×", most: MOST_RATIO });
    figures.push({ what: `${what} of qwen2`, value: qwen2! * 1000, unit: "ms" });
  }
  models.forEach((model) => model.release());
  runtime.release();
  return figures;
}

export const FAMILIES_PART: Part = {
  about: "Each family beside a Qwen2 of the same shape",
  trials: Object.fromEntries(
    (Object.keys(FAMILIES) as ModelType[]).filter((name) => name !== BASELINE)
      .map((name) => [name, (context) => beside(name, context)]),
  ),
};
