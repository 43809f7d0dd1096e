/** The weight of the KL that follows a target. @module */
import type { MethodNotes } from "../../gpu/losses/method.ts";

/** What the coefficient follows. */
interface KlController {
  /** KL to the reference that is wanted, in the unit in which it is measured. */
  readonly target: number;
  /** Completions over which it adapts. */
  readonly horizon: number;
}

/** Largest relative error that counts at once. */
const LARGEST_ERROR = 0.2;

/** The controller of a type; null of one that is fixed. Throws RangeError for another type or numbers that are not above 0. */
export function klController(type: string, { target, horizon }: KlController): KlController | null {
  if (type === "fixed") return null;
  if (type !== "adaptive") throw new RangeError(`Cannot control kl_coef: type is "${type}", want fixed or adaptive`);
  if (target > 0 && horizon > 0) return { target, horizon };
  throw new RangeError(`Cannot adapt kl_coef: target ${target} and horizon ${horizon}, want numbers above 0`);
}

/**
 * The coefficient after a rollout of `completions` whose KL was `kl`. Fixed without a controller.
 * A KL that is NaN makes it NaN for good, as in both systems: the step refuses it before.
 * Source: Ziegler et al., "Fine-Tuning Language Models from Human Preferences", section 2.2; verl
 * `core_algos.AdaptiveKLController.update`, OpenRLHF `AdaptiveKLController.update`.
 */
export function nextKlCoefficient(
  coefficient: number,
  controller: KlController | null,
  kl: number,
  completions: number,
): number {
  if (controller === null) return coefficient;
  const { target, horizon } = controller;
  const error = Math.min(Math.max(kl / target - 1, -LARGEST_ERROR), LARGEST_ERROR);
  return coefficient * (1 + error * completions / horizon);
}

export const ADAPTIVE_KL: MethodNotes = {
  formula: "kl_coef <- kl_coef · (1 + clip(kl / kl_target - 1, ±0.2) · completions / kl_horizon)",
  source: "Ziegler et al. 2019; verl core_algos.AdaptiveKLController; OpenRLHF AdaptiveKLController",
  names: {
    verl: "algorithm.kl_ctrl.type=adaptive (default fixed), kl_coef=0.001, target_kl=0.1, horizon=10000",
    openrlhf: "--algo.kl.target (default none: fixed), --algo.kl.horizon 10000, --algo.kl.init_coef 0.01",
  },
};
