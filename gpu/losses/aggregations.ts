/**
 * How per-token losses become one number: the weight of every token, so that a loss is a plain weighted sum.
 *
 * Weights are computed once over everything that one update sees; micro-batches then add up to the full batch,
 * whatever the aggregation. Sources: TRL `grpo_trainer._compute_loss`, verl `core_algos.agg_loss`.
 * @module
 */

/** Counts over one update (and its rollout), from which every token's weight follows. */
export interface AggregationTotals {
  /** Tokens with mask 1 in this update. */
  readonly tokens: number;
  /** Completions in this update, those without a counted token included. */
  readonly sequences: number;
  /** Tokens with mask 1 in the whole rollout, and how many updates it is cut into. */
  readonly rolloutTokens: number;
  readonly updates: number;
  /** Constant divisor of `sequence_sum_norm`, tokens (max_new_tokens). */
  readonly norm: number;
}

type RowWeight = (length: number, totals: AggregationTotals) => number;

/** The weight of one token of a completion with `length` counted tokens. */
export const AGGREGATIONS = {
  /** Every token of the update counts the same (TRL bnpo, verl token-mean). */
  token_mean: (_, { tokens }) => 1 / Math.max(tokens, 1),
  /** Every token of the rollout counts the same, whatever update it is in (DAPO, TRL dapo). */
  rollout_token_mean: (_, { rolloutTokens, updates }) => updates / Math.max(rolloutTokens, 1),
  /** A plain sum (verl token-sum). */
  token_sum: () => 1,
  /** Mean over completions of the mean over their tokens (GRPO eq. 3, TRL grpo, verl seq-mean-token-mean). */
  sequence_mean: (length, { sequences }) => 1 / (Math.max(length, 1) * Math.max(sequences, 1)),
  /** Mean over completions of the sum over their tokens (TRL luspo, verl seq-mean-token-sum). */
  sequence_sum: (_, { sequences }) => 1 / Math.max(sequences, 1),
  /** The same over a constant length, so that long completions are not favoured (Dr. GRPO, verl …-sum-norm). */
  sequence_sum_norm: (_, { sequences, norm }) => 1 / (Math.max(sequences, 1) * norm),
} as const satisfies Record<string, RowWeight>;

export type Aggregation = keyof typeof AGGREGATIONS;

/**
 * The weight of every token.
 *
 * mask     float32 [B, T]  1 on tokens that count
 * totals   what is known about the whole update; absent counts are taken from the mask
 * returns  float32 [B, T]  0 where the mask is 0
 */
export function tokenCoefficients(
  aggregation: Aggregation,
  mask: ArrayLike<number>,
  width: number,
  totals: Partial<AggregationTotals> = {},
): Float32Array {
  const rows = mask.length / width;
  if (!Number.isInteger(rows)) {
    throw new RangeError(`Cannot weigh tokens: ${mask.length} mask values, rows of ${width}`);
  }
  const lengths = new Float64Array(rows);
  for (let i = 0; i < mask.length; i++) lengths[Math.floor(i / width)]! += mask[i]!;
  const tokens = totals.tokens ?? lengths.reduce((a, b) => a + b, 0);
  const all: AggregationTotals = {
    tokens,
    sequences: totals.sequences ?? rows,
    rolloutTokens: totals.rolloutTokens ?? tokens,
    updates: totals.updates ?? 1,
    norm: totals.norm ?? width,
  };
  const weight = AGGREGATIONS[aggregation];
  const result = new Float32Array(mask.length);
  for (let row = 0; row < rows; row++) {
    const value = weight(lengths[row]!, all);
    for (let t = row * width; t < (row + 1) * width; t++) result[t] = mask[t]! * value;
  }
  return result;
}
