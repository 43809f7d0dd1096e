/** What is told of rejections: verl's `rollout_rs_*`. @module */
import {
  clamp,
  countedValues,
  largest,
  mapRows,
  meanOf,
  rowMean,
  type Rows,
  shareOf,
  smallest,
  stdOf,
  tokenCount,
  tokenMean,
  tokenStd,
} from "./masked_rows.ts";
import type { Rejection } from "./rejection.ts";

/** Whether a completion lost a token that counts. */
const lost = (keep: ArrayLike<number>, mask: ArrayLike<number>) =>
  Array.from(mask).some((counts, t) => counts && !keep[t]);

/** Shares of tokens and of completions (all, and those with a token) that lost something. */
export function rejectedShares(keep: Rows, mask: Rows): {
  readonly tokens: number;
  readonly completions: number;
  readonly counted: number;
} {
  const losses: number[] = keep.map((row, i) => +lost(row, mask[i]!));
  return {
    tokens: tokenMean(mapRows(keep, (kept) => 1 - kept), mask),
    completions: meanOf(losses),
    counted: shareOf(losses.filter((_, i) => tokenCount(mask[i]!) > 0), (loss) => loss > 0),
  };
}

/**
 * Statistics of one criterion's estimate, in nats; `seq_` over completions with a token.
 * Source: verl `rollout_corr_helper.compute_rs_metrics`.
 */
export function rejectionMetrics(
  { bounds: { low, high }, values, completions, keep }: Rejection,
  mask: Rows,
): Record<string, number> {
  const perCompletion = (completions ?? values.map((row, i) => rowMean(row, mask[i]!)))
    .filter((_, i) => tokenCount(mask[i]!) > 0);
  const bySequence = completions !== null && perCompletion.length > 0;
  const extremes = bySequence ? perCompletion : countedValues(values, mask);
  const share = (holds: (value: number) => boolean) =>
    bySequence ? shareOf(perCompletion, holds) : tokenMean(mapRows(values, (value) => +holds(value)), mask);
  const { tokens, counted } = rejectedShares(keep, mask);
  return {
    mean: tokenMean(values, mask),
    max: largest(extremes),
    min: smallest(extremes),
    fraction_high: share((value) => value > high),
    fraction_low: low === null ? 0 : share((value) => value < low),
    std: tokenStd(mapRows(values, (value) => clamp(value, low ?? 0, high)), mask),
    seq_mean: perCompletion.length ? meanOf(perCompletion) : 0,
    seq_std: stdOf(perCompletion),
    seq_max: perCompletion.length ? largest(perCompletion) : 0,
    seq_min: perCompletion.length ? smallest(perCompletion) : 0,
    seq_max_deviation: perCompletion.length ? largest(perCompletion.map(Math.abs)) : 0,
    seq_fraction_high: shareOf(perCompletion, (value) => value > high),
    ...(low === null ? {} : { seq_fraction_low: shareOf(perCompletion, (value) => value < low) }),
    masked_fraction: tokens,
    seq_masked_fraction: counted,
  };
}
