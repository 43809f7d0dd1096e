/** The weight of the entropy bonus that follows a target. @module */
import type { MethodNotes } from "../../gpu/losses/method.ts";

/** What the coefficient follows. */
interface EntropyController {
  /** Entropy in nats per token: above it there is no bonus. */
  readonly target: number;
  /** The coefficient moves by this, between its bounds, once per update. */
  readonly step: number;
  readonly min: number;
  readonly max: number;
}

/**
 * The coefficient after an update before which the entropy was so many nats per token.
 * NaN counts as above the target, as in TRL: the step refuses it before.
 * Source: Skywork-OR1, "adaptive entropy control"; TRL `GRPOTrainer` with `use_adaptive_entropy`.
 */
export function nextEntropyCoefficient(
  coefficient: number,
  { target, step, min, max }: EntropyController,
  entropy: number,
): number {
  return entropy <= target ? Math.min(coefficient + step, max) : Math.max(coefficient - step, min);
}

/** The weight that the next update uses: 0 unless the entropy before the last one was at the target or below; `null`: there was none. */
export function entropyWeight(coefficient: number, { target }: EntropyController, lastEntropy: number | null): number {
  return lastEntropy !== null && lastEntropy <= target ? coefficient : 0;
}

export const ADAPTIVE_ENTROPY: MethodNotes = {
  formula: "entropy_coef <- min(entropy_coef + step, max) where H <= target, else max(entropy_coef - step, min); " +
    "used in the next update if the last H <= target, else 0",
  source: "Skywork-OR1; TRL GRPOTrainer",
  names: {
    trl: "use_adaptive_entropy=True (default False), entropy_coef=0, entropy_target=0.2, entropy_coef_delta=0.005, " +
      "entropy_coef_min=0, entropy_coef_max=1",
  },
};
