/** Follows a few updates that a trainer of transformers made, as checks of goldens. @module */
import type { LanguageModel, TrainBatch, TrainSettings } from "../../gpu/language_model.ts";
import type { AdamW } from "../../gpu/optimizers/adamw.ts";
import { norm } from "./open_model.ts";
import type { Check, Tolerance, TorchFile } from "./topic.ts";

/** What the goldens' trainers use. */
export interface TorchOptimizer {
  readonly lr: number;
  readonly betas: readonly [number, number];
  readonly eps: number;
  readonly weight_decay: number;
}

export interface Trajectory {
  readonly max_norm: number;
  readonly steps: readonly { readonly loss: number; readonly grad_norm: number }[];
  /** Norms of all parameters at the end; the values of some are in the tensors. */
  readonly param_norms: Readonly<Record<string, number>>;
}

export const NORM: Tolerance = { relative: 1e-4, absolute: 1e-7 };
/** The loss of the first update, and of later ones, whose weights carry the rounding of those before. */
export const FIRST_LOSS: Tolerance = { relative: 1e-5, absolute: 2e-6 };
const LATER_LOSS: Tolerance = { relative: 0, absolute: 1e-4 };
const LATER_NORM: Tolerance = { relative: 2e-4, absolute: 1e-7 };
const PARAMETER: Tolerance = { relative: 0, absolute: 2e-5 };

export function adamwOf({ lr, betas, eps, weight_decay }: TorchOptimizer, maxNorm: number): AdamW {
  return { learningRate: lr, beta1: betas[0], beta2: betas[1], epsilon: eps, weightDecay: weight_decay, maxNorm };
}

/** Makes the updates of a trajectory: losses, gradient norms, and the parameters at the end. */
export async function followTraining(
  model: LanguageModel,
  name: string,
  batch: TrainBatch,
  settings: TrainSettings,
  { max_norm, steps, param_norms }: Trajectory,
  optimizer: TorchOptimizer,
  tensors: ReturnType<TorchFile["tensors"]>,
): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [i, step] of steps.entries()) {
    const { loss } = await model.accumulateGradient(batch, settings);
    const { gradNorm } = await model.applyUpdate(adamwOf(optimizer, max_norm), "all");
    const isFirst = i === 0;
    checks.push(
      { name: `steps[${i}].loss`, want: step.loss, got: loss, tolerance: isFirst ? FIRST_LOSS : LATER_LOSS },
      { name: `steps[${i}].grad_norm`, want: step.grad_norm, got: gradNorm, tolerance: isFirst ? NORM : LATER_NORM },
    );
  }
  const values = model.weights.toHuggingFace();
  for (const [parameter, want] of Object.entries(param_norms)) {
    const got = values.get(ownName(parameter))?.data, stored = `${name}.param.${parameter}`;
    checks.push({ name: `param_norms.${parameter}`, want, got: got && norm(got), tolerance: NORM });
    if (tensors.tensors.has(stored)) {
      checks.push({ name: stored, want: tensors.float32(stored), got, tolerance: PARAMETER });
    }
  }
  return checks;
}

/** PEFT's name of a parameter as the model has it. */
const ownName = (parameter: string) => parameter.replace(/^base_model\.model\./, "");

/** The norms of all gradients, and those gradients that the tensors hold, each within 1e-4 of its norm. */
export function gradientChecks(
  model: LanguageModel,
  name: string,
  norms: Readonly<Record<string, number>>,
  tensors: ReturnType<TorchFile["tensors"]>,
): Check[] {
  const gradients = model.weights.namedGradients();
  const stored = [...tensors.tensors.keys()].filter((tensor) => tensor.startsWith(`${name}.grad.`));
  return [
    ...Object.entries(norms).map(([parameter, want]): Check => {
      const got = gradients.get(ownName(parameter))?.data;
      return {
        name: `grad_norms.${parameter}`,
        want,
        got: got && norm(got),
        tolerance: { relative: 1e-4, absolute: 1e-6 },
      };
    }),
    ...stored.map((tensor): Check => {
      const got = gradients.get(ownName(tensor.slice(`${name}.grad.`.length)))?.data, want = tensors.float32(tensor);
      return { name: tensor, want, got, tolerance: { relative: 1e-4, absolute: 1e-4 * norm(want) } };
    }),
  ];
}
