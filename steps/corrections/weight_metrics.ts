/** What is told of sampler weights: verl's `rollout_is_*`. @module */
import {
  clamp,
  countedValues,
  largest,
  mapRows,
  maskedSum,
  meanOf,
  rowMean,
  type Rows,
  shareOf,
  smallest,
  stdOf,
  tokenMean,
  tokenStd,
} from "./masked_rows.ts";
import { LOG_BOUND, type SamplerWeights } from "./sampler_weights.ts";

/** Keeps the divisor of the effective sample size from 0. */
const MEAN_EPS = 1e-8;

interface WeightRows {
  /** Before and after the bounds were applied, [B, T]; 0 on tokens that do not count. */
  readonly raw: Rows;
  readonly weights: Rows;
  /** q, nats. */
  readonly logRatio: Rows;
  readonly mask: Rows;
}

/**
 * mean, std and effective sample size (a fraction of tokens, (E w)² / E w²) of the weights that are applied; shares of
 * ratios beyond the bounds before they were; the same per completion. At sequence level max and min are those of the
 * ratios before the bounds. Without a lower bound 1 / high stands for it.
 *
 * Throws RangeError where every weight is 0: an effective sample size of nothing (verl: ZeroDivisionError).
 * Source: verl `rollout_corr_helper.compute_is_metrics`.
 */
export function weightMetrics(
  { raw, weights, logRatio, mask }: WeightRows,
  { level, bounds }: Pick<SamplerWeights, "level" | "bounds">,
): Record<string, number> {
  const high = bounds[1] ?? Infinity, low = bounds[0] ?? 1 / high;
  const bounded = mapRows(weights, (weight) => clamp(weight, 0, high));
  const mean = tokenMean(bounded, mask) + MEAN_EPS;
  const squares = tokenMean(mapRows(bounded, (weight) => (weight / mean) ** 2), mask);
  if (squares === 0) {
    throw new RangeError(
      `Cannot weigh completions by the sampler's log-probs: every weight is 0, want some within the bounds ` +
        `${low} to ${high}; widen sampler_bounds, or look at why sampler and trainer disagree`,
    );
  }
  const rows = weights.map((row, i) => rowMean(row, mask[i]!));
  const rawRows = raw.map((row, i) => rowMean(row, mask[i]!));
  const extremes = level === "token" ? tokenExtremes(raw, weights, mask) : completionExtremes(logRatio, mask);
  return {
    mean: tokenMean(weights, mask),
    ratio_fraction_high: extremes.share((ratio) => ratio > high),
    ratio_fraction_low: extremes.share((ratio) => ratio < low),
    max: extremes.max,
    min: extremes.min,
    std: tokenStd(bounded, mask),
    eff_sample_size: 1 / squares,
    seq_mean: meanOf(rows),
    seq_std: stdOf(rows),
    seq_max: largest(rows),
    seq_min: smallest(rows),
    seq_max_deviation: largest(rows.map((mean) => Math.abs(mean - 1))),
    seq_fraction_high: shareOf(rawRows, (ratio) => ratio > high),
    seq_fraction_low: shareOf(rawRows, (ratio) => ratio < low),
  };
}

/** Of tokens: extremes of the weights, shares of the ratios before the bounds. */
function tokenExtremes(raw: Rows, weights: Rows, mask: Rows) {
  const applied = countedValues(weights, mask);
  return {
    max: largest(applied),
    min: smallest(applied),
    share: (holds: (ratio: number) => boolean) => tokenMean(mapRows(raw, (ratio) => +holds(ratio)), mask),
  };
}

/** Of completions, those without a token included. */
function completionExtremes(logRatio: Rows, mask: Rows) {
  const sums = logRatio.map((row, i) => maskedSum(row, mask[i]!));
  return {
    max: Math.exp(Math.min(largest(sums), LOG_BOUND)),
    min: Math.exp(smallest(sums)),
    share: (holds: (ratio: number) => boolean) => shareOf(sums, (sum) => holds(Math.exp(sum))),
  };
}
