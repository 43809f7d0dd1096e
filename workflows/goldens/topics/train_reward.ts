/** TRL's reward trainer on a whole model against the updates of `train_reward_model`. @module */
import type { LanguageModel } from "../../../gpu/language_model.ts";
import { SCORE } from "../../../gpu/models/parameters.ts";
import { scalarModel } from "../../../steps/resources/scalar_model.ts";
import { pairBatch } from "../../../steps/preferences/pair_rows.ts";
import { adamwOf, FIRST_LOSS, NORM } from "../follow_training.ts";
import { gradientNorms, withModel } from "../open_model.ts";
import type { Check, Tolerance, TorchTopic } from "../topic.ts";

type Rows = readonly (readonly number[])[];
interface Case {
  readonly name: string;
  readonly center_rewards_coefficient: number | null;
  /** One per pair. */
  readonly margin: readonly number[] | null;
  readonly trl_metrics: Readonly<Record<"accuracy" | "margin" | "mean_reward", number>>;
  readonly loss: number;
  readonly grad_norm: number;
  readonly grad_norms: Readonly<Record<string, number>>;
}
interface Document {
  readonly model: string;
  /** score.weight, [D]. */
  readonly score: readonly number[];
  readonly prompts: Rows;
  readonly chosen: Rows;
  readonly rejected: Rows;
  /** Of all chosen completions, then of all rejected ones. */
  readonly scores: readonly number[];
  readonly cases: readonly Case[];
}

const SCORES: Tolerance = { relative: 1e-5, absolute: 1e-5 }, METRIC: Tolerance = { relative: 1e-4, absolute: 1e-6 };
const OPTIMIZER = { lr: 0, betas: [0.9, 0.999], eps: 1e-8, weight_decay: 0 } as const;

export const trainReward: TorchTopic = {
  about: "TRL's RewardTrainer.compute_loss on transformers' model for classification (gpu/losses/reward_pair.ts)",
  takes: (file) => file === "train_reward",
  cases(file) {
    const given = file.document as unknown as Document;
    return given.cases.map((one) => ({
      name: one.name,
      checks: () => withModel(file.model(given.model), (body) => withHead(body, given, one)),
    }));
  },
};

/** The case on the body of a language model with the given head. */
async function withHead(body: LanguageModel, given: Document, one: Case): Promise<Check[]> {
  const tensors = body.weights.toHuggingFace();
  tensors.set(SCORE, { shape: [1, given.score.length], data: Float32Array.from(given.score) });
  const model = scalarModel(body.runtime, { config: body.config, tensors, seed: 0, stream: "" });
  try {
    return await checksOf(model, given, one);
  } finally {
    model.release();
  }
}

async function checksOf(model: LanguageModel, given: Document, one: Case): Promise<Check[]> {
  const pairs = given.prompts.map((prompt, i) => ({
    prompt: Int32Array.from(prompt),
    completions: [given.chosen, given.rejected].map((rows) => Int32Array.from(rows[i]!)),
  }));
  const plain = pairBatch(pairs, 0), batch = one.margin === null ? plain : { ...plain, inputs: { margin: one.margin } };
  const scores = (await model.values(batch)).map((row) => row.at(-1)!), count = pairs.length;
  const { loss, metrics } = await model.accumulateGradient(batch, {
    loss: { objective: "reward_pair", center: one.center_rewards_coefficient ?? 0 },
    aggregation: "token_mean",
    temperature: 1,
  });
  const norms = gradientNorms(model), { gradNorm } = await model.applyUpdate(adamwOf(OPTIMIZER, 1));
  const mean = (metrics["chosen_reward"]! + metrics["rejected_reward"]!) / 2;
  const want = scores.map((_, row) => given.scores[Math.floor(row / 2) + (row % 2) * count]!);
  return [
    { name: "scores", want, got: scores, tolerance: SCORES },
    { name: "loss", want: one.loss, got: loss, tolerance: FIRST_LOSS },
    { name: "grad_norm", want: one.grad_norm, got: gradNorm, tolerance: NORM },
    { name: "grad_norms", want: one.grad_norms, got: norms, tolerance: { relative: 1e-4, absolute: 1e-6 } },
    { name: "accuracy", want: one.trl_metrics.accuracy, got: metrics["preference_accuracy"], tolerance: METRIC },
    { name: "margin", want: one.trl_metrics.margin, got: metrics["reward_margin"], tolerance: METRIC },
    { name: "mean_reward", want: one.trl_metrics.mean_reward, got: mean, tolerance: METRIC },
  ];
}
