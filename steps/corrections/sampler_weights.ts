/** Importance weights that correct for a sampler that is not quite the policy. @module */
import type { MethodNotes } from "../../gpu/losses/method.ts";
import { clamp, mapRows, maskedSum, rowMean, type Rows, tokenCount, tokenMean } from "./masked_rows.ts";

/** How weights are made of log-ratios q of trainer over sampler. */
export interface SamplerWeights {
  /** A weight per token, exp q; or one per completion, exp Σ q. */
  readonly level: "token" | "sequence";
  /** Smallest and largest weight that is left as it is; null = none. */
  readonly bounds: readonly [number | null, number | null];
  /**
   * What happens outside: the bound instead; 0; or 0 for a completion whose mean ratio, exp of the mean q, is outside,
   * and weights as they are for all others.
   */
  readonly outside: keyof typeof OUTSIDE;
  /** q is kept within ± this, nats: exp(20) is 4.9e8. Null = as it is (TRL). */
  readonly logBound: number | null;
}

/** verl's SAFETY_BOUND. */
export const LOG_BOUND = 20;

/** What becomes of weights outside the bounds. */
export const OUTSIDE = {
  truncate: {
    formula: "w = min(max(exp q, low), high), q = old - sampler per token, or its sum over a completion",
    source: "Yao et al., truncated importance sampling; TRL GRPOTrainer, verl rollout_corr_helper, OpenRLHF PolicyLoss",
    names: {
      trl: "vllm_importance_sampling_mode=token_truncate | sequence_truncate, …_clip_min, …_clip_max=3.0",
      verl: "algorithm.rollout_correction.rollout_is=token | sequence, rollout_is_threshold=2.0 (upper bound only)",
      openrlhf:
        "--algo.advantage.is_correction_type tis (the default), --algo.advantage.is_correction_threshold 0.5 5.0",
    },
  },
  mask: {
    formula: "w = exp q where low <= exp q <= high, else 0",
    source: "IcePop; TRL GRPOTrainer, verl rollout_corr_helper, OpenRLHF PolicyLoss",
    names: {
      trl: "vllm_importance_sampling_mode=token_mask | sequence_mask (the default)",
      verl: 'algorithm.rollout_correction.rollout_is_threshold="low_high"',
      openrlhf: "--algo.advantage.is_correction_type icepop",
    },
  },
  mask_sequence: {
    formula: "w = exp q where low <= exp(mean of q over the completion) <= high, else 0",
    source: "OpenRLHF PolicyLoss",
    names: { openrlhf: "--algo.advantage.is_correction_type seq-mask-tis" },
  },
} as const satisfies Record<string, MethodNotes>;

/**
 * The weight of every token, without a gradient.
 *
 * logRatio   [B, T]  q, nats (`logRatios`)
 * mask       [B, T]  1 on tokens that count
 * returns    [B, T]  at sequence level the same along a completion; on tokens that do not count the weight of q = 0
 */
export function samplerWeights(logRatio: Rows, mask: Rows, given: SamplerWeights): Float64Array[] {
  const low = given.bounds[0] ?? 0, high = given.bounds[1] ?? Infinity;
  return rawWeights(logRatio, mask, given).map((row, i) => {
    if (given.outside === "mask_sequence") {
      const mean = Math.exp(maskedSum(logRatio[i]!, mask[i]!) / Math.max(tokenCount(mask[i]!), 1));
      return mean >= low && mean <= high ? row : new Float64Array(row.length);
    }
    return given.outside === "truncate"
      ? row.map((weight) => clamp(weight, low, high))
      : row.map((weight) => weight < low || weight > high ? 0 : weight);
  });
}

/** The same before anything is done about the bounds. */
export function rawWeights(
  logRatio: Rows,
  mask: Rows,
  { level, logBound }: Pick<SamplerWeights, "level" | "logBound">,
): Float64Array[] {
  const bound = logBound ?? Infinity, weight = (q: number) => Math.exp(clamp(q, -bound, bound));
  if (level === "token") return mapRows(logRatio, (q, i, t) => weight(mask[i]![t] ? q : 0));
  return logRatio.map((row, i) => new Float64Array(row.length).fill(weight(maskedSum(row, mask[i]!))));
}

/** A mean below this is no divisor. */
const SMALLEST_MEAN = 1e-8;

/**
 * Weights over their mean: of tokens, or of completions that have one. Returns the mean it divided by, 1 where that is 0.
 * Source: verl `compute_rollout_correction_weights`, `rollout_is_batch_normalize`.
 */
export function normalizedWeights(
  weights: Rows,
  mask: Rows,
  level: SamplerWeights["level"],
): { readonly weights: Float64Array[]; readonly factor: number } {
  const mean = level === "token" ? tokenMean(weights, mask) : completionMean(weights, mask);
  const factor = mean > SMALLEST_MEAN ? mean : 1;
  return { weights: mapRows(weights, (weight) => weight / factor), factor };
}

function completionMean(weights: Rows, mask: Rows): number {
  const rows = weights.flatMap((row, i) => tokenCount(mask[i]!) > 0 ? [rowMean(row, mask[i]!)] : []);
  return rows.reduce((a, b) => a + b, 0) / Math.max(rows.length, SMALLEST_MEAN);
}
