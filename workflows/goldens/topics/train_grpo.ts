/** GRPO of TRL on a whole model against the updates of `apply_update`. @module */
import type { LanguageModel, TrainBatch, TrainSettings } from "../../../gpu/language_model.ts";
import type { Aggregation } from "../../../gpu/losses/aggregations.ts";
import type { ClippedLoss } from "../../../gpu/losses/clipped.ts";
import {
  adamwOf,
  FIRST_LOSS,
  followTraining,
  gradientChecks,
  NORM,
  type TorchOptimizer,
  type Trajectory,
} from "../follow_training.ts";
import { unmasked, unmaskedRows, withModel } from "../open_model.ts";
import type { Check, TorchFile, TorchTopic } from "../topic.ts";

type Matrix = readonly (readonly number[])[];
interface Options {
  readonly name: string;
  readonly loss_type: string;
  readonly beta: number;
  readonly epsilon_high?: number;
  readonly delta?: number;
  readonly importance_sampling_level?: "sequence";
  readonly temperature?: number;
  readonly on_policy?: boolean;
  readonly use_bias_correction_kl: boolean;
}
interface Case extends Options {
  readonly loss: number;
  readonly grad_norm: number;
  readonly grad_norms?: Readonly<Record<string, number>>;
  readonly trl_metrics: Readonly<Record<string, number>>;
}
interface Document {
  readonly model: string;
  readonly prompt_ids: Matrix;
  readonly prompt_mask: Matrix;
  readonly completion_ids: Matrix;
  readonly completion_mask: Matrix;
  readonly advantages: readonly number[];
  readonly epsilon: number;
  readonly max_completion_length: number;
  readonly optimizer: TorchOptimizer;
  readonly cases: readonly Case[];
  readonly training: readonly (Options & Trajectory)[];
}

/** The aggregation of TRL's `loss_type`; dapo's tokens are those of this batch. */
const AGGREGATION: ReadonlyMap<string, Aggregation> = new Map([
  ["grpo", "sequence_mean"],
  ["bnpo", "token_mean"],
  ["dr_grpo", "sequence_sum_norm"],
  ["dapo", "rollout_token_mean"],
]);
const NATS = { relative: 1e-4, absolute: 1e-4 }, FRACTION = { relative: 0, absolute: 1e-6 };

export const trainGrpo: TorchTopic = {
  about: "TRL's GRPOTrainer._compute_loss on a model: value, metrics, gradients and updates (gpu/language_model.ts)",
  takes: (file) => file === "train_grpo",
  cases(file) {
    const given = file.document as unknown as Document, tensors = file.tensors();
    const open = (body: (model: LanguageModel) => Promise<Check[]>) => withModel(file.model(given.model), body);
    return [
      ...given.cases.map((one) => ({
        name: one.name,
        checks: () => open((model) => checksOf(model, one, given, tensors)),
      })),
      ...given.training.map((one) => ({
        name: one.name,
        checks: () =>
          open((model) =>
            followTraining(
              model,
              one.name,
              batchOf(one, given, tensors),
              settingsOf(one, given),
              one,
              given.optimizer,
              tensors,
            )
          ),
      })),
    ];
  },
};

type Tensors = ReturnType<TorchFile["tensors"]>;

function batchOf({ temperature = 1 }: Options, given: Document, tensors: Tensors): TrainBatch {
  const read = (name: string) => unmaskedRows(tensors.float32(name), given.completion_mask);
  return {
    prompts: unmasked(given.prompt_ids, given.prompt_mask),
    group: 1,
    completions: unmasked(given.completion_ids, given.completion_mask),
    inputs: {
      advantages: given.advantages,
      old_logprobs: read(temperature === 1 ? "old_logprobs" : "old_logprobs_t07"),
      ref_logprobs: read("ref_logprobs"),
    },
  };
}

function settingsOf(options: Options, given: Document): TrainSettings {
  const { loss_type, beta, use_bias_correction_kl: timesRatio, temperature = 1 } = options;
  const aggregation = AGGREGATION.get(loss_type);
  if (!aggregation) throw new RangeError(`Cannot train with loss_type "${loss_type}": it is no clipped loss`);
  const loss: ClippedLoss = {
    objective: "clipped",
    clipLow: given.epsilon,
    clipHigh: options.epsilon_high ?? given.epsilon,
    ratioCap: options.delta ?? null,
    ratioLevel: options.importance_sampling_level ?? "token",
    onPolicy: options.on_policy ?? false,
    kl: beta ? { estimator: "k3", coefficient: beta, timesRatio } : null,
  };
  return { loss, aggregation, temperature, totals: { norm: given.max_completion_length } };
}

async function checksOf(model: LanguageModel, one: Case, given: Document, tensors: Tensors): Promise<Check[]> {
  const { loss, metrics } = await model.accumulateGradient(batchOf(one, given, tensors), settingsOf(one, given));
  const gradients = gradientChecks(model, one.name, one.grad_norms ?? {}, tensors);
  const { gradNorm } = await model.applyUpdate(adamwOf({ ...given.optimizer, lr: 0, weight_decay: 0 }, 1));
  const { trl_metrics: theirs } = one;
  const clip = one.importance_sampling_level ? [] : [{
    name: "clip_ratio/region_mean",
    want: theirs["clip_ratio/region_mean"]!,
    got: metrics["clip_fraction"],
    tolerance: FRACTION,
  }];
  const kl = one.beta ? [{ name: "kl", want: theirs["kl"]!, got: metrics["kl"], tolerance: NATS }] : [];
  return [
    { name: "loss", want: one.loss, got: loss, tolerance: FIRST_LOSS },
    { name: "grad_norm", want: one.grad_norm, got: gradNorm, tolerance: NORM },
    { name: "entropy", want: theirs["entropy"]!, got: metrics["entropy"], tolerance: NATS },
    ...clip,
    ...kl,
    ...gradients,
  ];
}
