/** GRPO of TRL on a whole model against the updates of `apply_update`. @module */
import type { LanguageModel, TrainBatch, TrainSettings } from "../../../gpu/language_model.ts";
import type { Loss } from "../../../gpu/losses/mod.ts";
import { lossForm, lossOf, lossOptions } from "../../../steps/training/loss_form.ts";
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
import { trlMetrics, trlOptions, type TrlParams } from "./trl_grpo_losses.ts";
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
  /** The tensor that is the reference: of an adapter it may be its base. */
  readonly reference?: string;
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
  /** Of an adapter, which `model` then is: the model that it changes. */
  readonly base?: string;
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

const NATS = { relative: 1e-4, absolute: 1e-4 }, FRACTION = { relative: 0, absolute: 1e-6 };

export const trainGrpo: TorchTopic = {
  about: "TRL's GRPOTrainer._compute_loss on a model: value, metrics, gradients and updates (gpu/language_model.ts)",
  takes: (file) => file === "train_grpo" || file === "train_grpo_lora",
  cases(file) {
    const given = documentOf(file), tensors = file.tensors(), { base, model } = given;
    const open = (body: (model: LanguageModel) => Promise<Check[]>) =>
      base === undefined
        ? withModel(file.model(model), body)
        : withModel(file.model(base), body, { train: file.model(model) });
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

/** An adapter's document leaves the batch to that of the whole model. */
function documentOf({ document, beside }: TorchFile): Document {
  const whole = "base" in document ? beside("train_grpo") : {};
  return { ...whole, ...document } as unknown as Document;
}

type Tensors = ReturnType<TorchFile["tensors"]>;

function batchOf(
  { temperature = 1, reference = "ref_logprobs" }: Options,
  given: Document,
  tensors: Tensors,
): TrainBatch {
  const read = (name: string) => unmaskedRows(tensors.float32(name), given.completion_mask);
  return {
    prompts: unmasked(given.prompt_ids, given.prompt_mask),
    group: 1,
    completions: unmasked(given.completion_ids, given.completion_mask),
    inputs: {
      advantages: given.advantages,
      old_logprobs: read(temperature === 1 ? "old_logprobs" : "old_logprobs_t07"),
      ref_logprobs: read(reference),
    },
  };
}

/** TRL's options as the loss of `apply_update`, by the preset of the loss type. */
function settingsOf(options: Options, given: Document): TrainSettings {
  const form = lossForm(lossOptions(trlOptions(paramsOf(options, given)))), { aggregation, totals } = form;
  const loss = lossOf(form, options.on_policy ?? false) as Loss;
  return { loss, aggregation, temperature: options.temperature ?? 1, totals };
}

function paramsOf(options: Options, { epsilon, max_completion_length }: Document): TrlParams {
  const { name: _name, temperature: _temperature, on_policy: _onPolicy, reference: _reference, ...params } = options;
  return { epsilon, max_completion_length, ...params };
}

async function checksOf(model: LanguageModel, one: Case, given: Document, tensors: Tensors): Promise<Check[]> {
  const { loss, metrics } = await model.accumulateGradient(batchOf(one, given, tensors), settingsOf(one, given));
  const gradients = gradientChecks(model, one.name, one.grad_norms ?? {}, tensors);
  const { gradNorm } = await model.applyUpdate(adamwOf({ ...given.optimizer, lr: 0, weight_decay: 0 }, 1));
  const ours: Readonly<Record<string, unknown>> = trlMetrics({ metrics }, paramsOf(one, given));
  const off = one.reference === "base_logprobs" ? await adapterOff(model, one, given, tensors) : [];
  return [
    ...off,
    { name: "loss", want: one.loss, got: loss, tolerance: FIRST_LOSS },
    { name: "grad_norm", want: one.grad_norm, got: gradNorm, tolerance: NORM },
    ...Object.entries(one.trl_metrics).map(([name, want]) => ({
      name,
      want,
      got: ours[name],
      tolerance: name === "entropy" || name === "kl" ? NATS : FRACTION,
    })),
    ...gradients,
  ];
}

/** The reference of `reference: adapter_off`. */
async function adapterOff(model: LanguageModel, one: Case, given: Document, tensors: Tensors): Promise<Check[]> {
  const { logprobs } = await model.withoutAdapter().logprobs(batchOf(one, given, tensors));
  const want = unmaskedRows(tensors.float32("base_logprobs"), given.completion_mask);
  return [{ name: "base_logprobs", want, got: logprobs, tolerance: NATS }];
}
