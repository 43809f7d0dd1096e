/**
 * How per-token losses become one number: the weight of every token, so that a loss is a plain weighted sum.
 *
 * Weights are computed once over everything that one update sees; micro-batches then add up to the full batch,
 * whatever the aggregation. Sources: TRL `grpo_trainer._compute_loss`, verl `core_algos.agg_loss`.
 * @module
 */
import type { MethodNotes } from "./method.ts";

/** Counts over one update (and its rollout), from which every token's weight follows. */
export interface AggregationTotals {
  /** Tokens with mask 1 in this update. */
  readonly tokens: number;
  /** Completions in this update; those without a counted token as `countsEmpty` says. */
  readonly sequences: number;
  /** Tokens with mask 1 in the whole rollout, and how many updates it is cut into. */
  readonly rolloutTokens: number;
  readonly updates: number;
  /** Constant divisor of `sequence_sum_norm`, tokens (max_new_tokens). */
  readonly norm: number;
  /** Multiplies every weight: a share of the update, or the processes that it is spread over. */
  readonly scale: number;
  /**
   * Completions without a counted token count as completions, and a loss of no token is 0 (TRL). Where false they do not
   * and it is NaN, 0 / 0 (verl, OpenRLHF).
   */
  readonly countsEmpty: boolean;
}

type RowWeight = (length: number, totals: AggregationTotals) => number;

interface AggregationEntry {
  /** The weight of one token of a completion with `length` counted tokens, at least 1. */
  readonly weight: RowWeight;
  /** A completion without a counted token has a loss all the same, which stands at its first token. */
  readonly weighsEmpty?: true;
  readonly method: MethodNotes;
}

const SOURCE = "TRL grpo_trainer._compute_loss; verl core_algos.agg_loss";

export const AGGREGATIONS = {
  /** Every token of the update counts the same. */
  token_mean: {
    weight: (_, { tokens }) => 1 / tokens,
    method: {
      formula: "Σ m·L / Σ m over the update",
      source: SOURCE,
      names: {
        trl: "loss_type=bnpo",
        verl: "loss_agg_mode=token-mean (default)",
        openrlhf: "token_level_loss (default of ppo)",
      },
    },
  },
  /** Every token of the rollout counts the same, whatever update it is in. */
  rollout_token_mean: {
    weight: (_, { rolloutTokens, updates }) => updates / rolloutTokens,
    method: {
      formula: "Σ m·L · updates / Σ m over the rollout",
      source: `Yu et al. 2025 (DAPO) eq. 12; ${SOURCE}`,
      names: { trl: "loss_type=dapo (default), cispo, vespo" },
    },
  },
  /** A plain sum. */
  token_sum: {
    weight: () => 1,
    method: { formula: "Σ m·L", source: SOURCE, names: { verl: "loss_agg_mode=token-sum" } },
  },
  /** Mean over completions of the mean over their tokens. */
  sequence_mean: {
    weight: (length, { sequences }) => 1 / (length * sequences),
    method: {
      formula: "mean over completions of Σ m·L / Σ m",
      source: `Shao et al. 2024 (GRPO) eq. 3; ${SOURCE}`,
      names: {
        trl: "loss_type=grpo, sapo; completions without a token count",
        verl: "loss_agg_mode=seq-mean-token-mean; completions without a token do not count",
        openrlhf: "gspo; token_level_loss off",
        visual_rft: "the only one",
      },
    },
  },
  /** Mean over completions of the sum over their tokens. */
  sequence_sum: {
    weight: (_, { sequences }) => 1 / sequences,
    method: {
      formula: "mean over completions of Σ m·L",
      source: SOURCE,
      names: { trl: "loss_type=luspo", verl: "loss_agg_mode=seq-mean-token-sum" },
    },
  },
  /** The same over a constant length, so that long completions are not favoured. */
  sequence_sum_norm: {
    weight: (_, { sequences, norm }) => 1 / (sequences * norm),
    method: {
      formula: "mean over completions of Σ m·L / (aggregation_norm, else max_new_tokens)",
      source: `Liu et al. 2025 (Dr. GRPO); ${SOURCE}`,
      names: {
        trl: "loss_type=dr_grpo, by max_completion_length",
        verl: "loss_agg_mode=seq-mean-token-sum-norm, by loss_scale_factor or the padded length",
      },
    },
  },
  /** Mean over completions of one loss each, those without a counted token included. */
  completion_mean: {
    weight: (length, { sequences }) => 1 / (length * sequences),
    weighsEmpty: true,
    method: {
      formula: "mean over completions of L, for a loss per completion",
      source: "TRL rloo_trainer._compute_loss",
      names: { trl: "RLOO; a completion without a token adds -A and no gradient" },
    },
  },
} as const satisfies Record<string, AggregationEntry>;

export type Aggregation = keyof typeof AGGREGATIONS;

/**
 * The weight of every token.
 *
 * mask     float32 [B, T]  1 on tokens that count
 * totals   what is known about the whole update; absent counts are taken from the mask, scale is 1, empty rows count
 * returns  float64 [B, T]  0 where the mask is 0, NaN where there is none and empty rows do not count
 */
export function tokenCoefficients(
  aggregation: Aggregation,
  mask: ArrayLike<number>,
  width: number,
  totals: Partial<AggregationTotals> = {},
): Float64Array {
  const rows = mask.length / width;
  if (!Number.isInteger(rows)) {
    throw new RangeError(`Cannot weigh tokens: ${mask.length} mask values, rows of ${width}`);
  }
  const lengths = new Float64Array(rows);
  for (let i = 0; i < mask.length; i++) lengths[Math.floor(i / width)]! += mask[i]!;
  const all = completed(totals, lengths, width), { weight, weighsEmpty }: AggregationEntry = AGGREGATIONS[aggregation];
  const result = new Float64Array(mask.length);
  for (let row = 0; row < rows; row++) {
    const value = weight(Math.max(lengths[row]!, 1), all) * all.scale;
    for (let t = row * width; t < (row + 1) * width; t++) result[t] = mask[t]! * value;
    if (weighsEmpty && lengths[row] === 0) result[row * width] = value;
  }
  return result;
}

/** All counts: divisors are at least 1 where a loss of nothing is 0. */
function completed(totals: Partial<AggregationTotals>, lengths: Float64Array, width: number): AggregationTotals {
  const { countsEmpty = true, norm = width, updates = 1, scale = 1 } = totals, least = countsEmpty ? 1 : 0;
  const tokens = totals.tokens ?? lengths.reduce((a, b) => a + b, 0);
  const sequences = totals.sequences ?? (countsEmpty ? lengths.length : lengths.filter((length) => length > 0).length);
  return {
    tokens: Math.max(tokens, least),
    sequences: Math.max(sequences, least),
    rolloutTokens: Math.max(totals.rolloutTokens ?? tokens, least),
    updates,
    norm,
    scale,
    countsEmpty,
  };
}
