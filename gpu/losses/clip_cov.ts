/** Clip-Cov: random tokens of high covariance with their advantage lose their gradient, so that entropy stays. @module */
import { z } from "zod";
import { countOf, covariance, largestOf } from "./covariance.ts";
import type { RolloutLoss } from "./objective.ts";
import { CLIP } from "./presets.ts";
import { rolloutObjective } from "./rollout_objective.ts";

const FRACTION = 2e-4, LOW = 1, HIGH = 5; // verl's defaults.

const params = z.strictObject({
  cov_fraction: z.number().gt(0).max(1).optional().describe(
    `clip_cov: share of tokens that may lose their gradient, at least one; ${FRACTION} if absent`,
  ),
  cov_low: z.number().optional().describe(`their covariance is above this; ${LOW} if absent`),
  cov_high: z.number().optional().describe(`and below this; ${HIGH} if absent`),
  clip_low: z.number().min(0).optional().describe(`ε below 1; ${CLIP} if absent`),
  clip_high: z.number().min(0).optional().describe(`ε above 1; ${CLIP} if absent`),
});

export interface ClipCovLoss extends RolloutLoss {
  readonly objective: "clip_cov";
  readonly fraction: number;
  readonly low: number;
  readonly high: number;
  readonly clipLow: number;
  readonly clipHigh: number;
}

/**
 * The clipped loss, 0 on a few random tokens whose covariance (A - Ā)(lp - mean lp) lies between the bounds and which the
 * clip leaves alone. Reads `draws`, a random number per token: those with the largest are taken.
 * Source: Cui et al. 2025 (Clip-Cov); verl `core_algos.compute_policy_loss_clip_cov`.
 */
export const clipCov = rolloutObjective<ClipCovLoss, typeof params, "clip_fraction">({
  method: {
    formula:
      "max(-r·A, -clip(r, 1 - clip_low, 1 + clip_high)·A), 0 on max(⌊cov_fraction·tokens⌋, 1) random tokens with " +
      "cov_low < (A - mean A)·(lp - mean lp) < cov_high",
    source: "Cui et al. 2025 (Clip-Cov); verl core_algos.compute_policy_loss_clip_cov",
    names: { verl: "policy_loss.loss_mode=clip_cov: clip_cov_ratio 0.0002, clip_cov_lb 1, clip_cov_ub 5" },
  },
  params,
  lossOf: ({ cov_fraction, cov_low, cov_high, clip_low, clip_high }) => ({
    objective: "clip_cov",
    fraction: cov_fraction ?? FRACTION,
    low: cov_low ?? LOW,
    high: cov_high ?? HIGH,
    clipLow: clip_low ?? CLIP,
    clipHigh: clip_high ?? CLIP,
  }),
  settings: ({ fraction, low, high, clipLow, clipHigh }) => ({
    cov_fraction: fraction,
    cov_low: low,
    cov_high: high,
    clip_low: clipLow,
    clip_high: clipHigh,
  }),
  isMinusAdvantage: () => false,
  wholeBatch: () => true,
  inputs: () => ({ draws: "token" }),
  metrics: { clip_fraction: () => ({ over: "token" }) },
  terms(loss, { advantages, logprobs, mask, ratio, input }) {
    const free = ratio.mul(advantages), bounded = ratio.clip(1 - loss.clipLow, 1 + loss.clipHigh).mul(advantages);
    const unclipped = bounded.less(free).where(0, 1).greater(0);
    const cov = covariance(logprobs, advantages, mask);
    const between = cov.less(loss.high).and(cov.greater(loss.low)).and(mask.greater(0)).and(unclipped);
    const draws = input("draws"), taken = largestOf(draws, between, countOf(loss.fraction, mask), draws);
    return {
      loss: free.min(bounded).neg().mul(taken.neg().add(1)),
      metrics: { clip_fraction: taken },
    };
  },
});
