/** KL-Cov: the tokens of highest covariance with their advantage pay for leaving the old policy, so that entropy stays. @module */
import { z } from "zod";
import { countOf, covariance, largestOf } from "./covariance.ts";
import type { RolloutLoss } from "./objective.ts";
import { rolloutObjective } from "./rollout_objective.ts";

const FRACTION = 2e-4, COEFFICIENT = 0.1; // verl's defaults.

const params = z.strictObject({
  cov_fraction: z.number().gt(0).max(1).optional().describe(
    `kl_cov: share of tokens that pay, at least one; ${FRACTION} if absent`,
  ),
  cov_kl_coef: z.number().min(0).optional().describe(
    `what they pay for one nat of |log-ratio|; ${COEFFICIENT} if absent`,
  ),
});

export interface KlCovLoss extends RolloutLoss {
  readonly objective: "kl_cov";
  readonly fraction: number;
  readonly coefficient: number;
}

/**
 * -ratio · advantage per token, + cov_kl_coef · |log-ratio| on the tokens of highest covariance (A - Ā)(lp - mean lp). Reads
 * `tie_order`: of tokens with one and the same covariance, as where all advantages are equal, the first in it pay.
 * Source: Cui et al. 2025 (KL-Cov); verl `core_algos.compute_policy_loss_kl_cov`.
 */
export const klCov = rolloutObjective<KlCovLoss, typeof params, "approx_kl_abs">({
  method: {
    formula: "-r·A, + cov_kl_coef·|lp - old| on the max(⌊cov_fraction·tokens⌋, 1) tokens of highest " +
      "(A - mean A)·(lp - mean lp)",
    source: "Cui et al. 2025 (KL-Cov); verl core_algos.compute_policy_loss_kl_cov",
    names: { verl: "policy_loss.loss_mode=kl_cov: kl_cov_ratio 0.0002, ppo_kl_coef 0.1" },
  },
  params,
  lossOf: ({ cov_fraction, cov_kl_coef }) => ({
    objective: "kl_cov",
    fraction: cov_fraction ?? FRACTION,
    coefficient: cov_kl_coef ?? COEFFICIENT,
  }),
  settings: ({ fraction, coefficient }) => ({ cov_fraction: fraction, cov_kl_coef: coefficient }),
  isMinusAdvantage: () => true,
  wholeBatch: () => true,
  inputs: () => ({ tie_order: "token" }),
  metrics: { approx_kl_abs: () => ({ over: "token" }) },
  terms({ fraction, coefficient }, { advantages, logprobs, mask, logRatio, ratio, input }) {
    const cov = covariance(logprobs, advantages, mask), distance = logRatio.abs();
    const pays = largestOf(cov, mask.greater(0), countOf(fraction, mask), input("tie_order"));
    const plain = ratio.mul(advantages).neg(), dear = distance.mul(coefficient).sub(advantages.mul(ratio));
    return {
      loss: pays.greater(0).where(dear, plain),
      metrics: { approx_kl_abs: distance },
    };
  },
});
