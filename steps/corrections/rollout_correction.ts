/** verl's rollout correction as a whole: weights, rejection, and everything that it logs. @module */
import { divergence } from "./divergence.ts";
import { logRatios } from "./log_ratios.ts";
import { mapRows, type Rows, tokenMean } from "./masked_rows.ts";
import { type Criterion, type Rejection, rejection, type RejectionBounds } from "./rejection.ts";
import { rejectedShares, rejectionMetrics } from "./rejection_metrics.ts";
import { LOG_BOUND, normalizedWeights, rawWeights, type SamplerWeights, samplerWeights } from "./sampler_weights.ts";
import { weightMetrics } from "./weight_metrics.ts";

interface RolloutCorrection {
  /** Null: no weights. */
  readonly weights: Omit<SamplerWeights, "logBound"> | null;
  /** Divides the weights by their mean. */
  readonly normalize: boolean;
  /** Every criterion must keep a token. */
  readonly reject: readonly (readonly [Criterion, RejectionBounds])[];
}

interface Corrected {
  /** [B, T], 0 on tokens that do not count; null where none were asked for. */
  readonly weights: Float64Array[] | null;
  /** [B, T], 1 on tokens that count and were not rejected. */
  readonly mask: Float64Array[];
  /** By verl's names, without "rollout_corr/". */
  readonly metrics: Readonly<Record<string, number>>;
}

/**
 * Corrects for a sampler that is not the policy. Weights are of the rollout before rejection.
 *
 * old, sampler   [B, T]  log p of the drawn token under trainer and sampler, nats
 * mask           [B, T]  1 on tokens that count
 * Throws RangeError where no token counts, or every weight is 0.
 * Source: verl `rollout_corr_helper.compute_rollout_correction_and_rejection_mask`.
 */
export function rolloutCorrection(old: Rows, sampler: Rows, mask: Rows, given: RolloutCorrection): Corrected {
  const logRatio = logRatios(old, sampler, mask);
  if (!mask.some((row) => Array.from(row).some(Boolean))) {
    throw new RangeError("Cannot correct for the sampler: no token counts, want one at least; look at completion_mask");
  }
  const weighed = weighedBy(given, logRatio, mask);
  const rejections = given.reject.map(([name, bounds]) => rejection(name, bounds, logRatio, mask));
  return {
    weights: weighed && weighed.weights,
    mask: keptTokens(rejections, mask),
    metrics: {
      ...weighed?.metrics,
      ...rejectionsTold(rejections, mask),
      ...divergence(old, sampler, mask),
    },
  };
}

function weighedBy({ weights: given, normalize }: RolloutCorrection, logRatio: Rows, mask: Rows) {
  if (given === null) return null;
  const form = { ...given, logBound: LOG_BOUND };
  const counted = (rows: Rows) => mapRows(rows, (weight, i, t) => mask[i]![t] ? weight : 0);
  const raw = counted(rawWeights(logRatio, mask, form)), applied = counted(samplerWeights(logRatio, mask, form));
  const metrics: Record<string, number> = prefixed(
    "rollout_is",
    weightMetrics({ raw, weights: applied, logRatio, mask }, form),
  );
  if (given.outside !== "truncate") {
    const out = mapRows(raw, (ratio, i, t) => +(mask[i]![t]! > 0 && ratio !== applied[i]![t]));
    metrics["rollout_is_oob_ratio"] = tokenMean(out, mask);
  }
  if (!normalize) return { weights: applied, metrics };
  const { weights, factor } = normalizedWeights(applied, mask, given.level);
  return { weights, metrics: { ...metrics, rollout_is_batch_norm_factor: factor } };
}

function keptTokens(rejections: readonly Rejection[], mask: Rows): Float64Array[] {
  return mapRows(mask, (counts, i, t) => counts && rejections.every(({ keep }) => keep[i]![t]) ? counts : 0);
}

function rejectionsTold(rejections: readonly Rejection[], mask: Rows): Record<string, number> {
  if (!rejections.length) return {};
  const told = rejections.map((one) => prefixed(`rollout_rs_${one.name}`, rejectionMetrics(one, mask)));
  const { tokens, completions } = rejectedShares(keptTokens(rejections, mask), mask);
  return Object.assign({}, ...told, {
    rollout_rs_masked_fraction: tokens,
    rollout_rs_seq_masked_fraction: completions,
  });
}

const prefixed = (prefix: string, metrics: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`${prefix}_${name}`, value]));
