/** Rejection of tokens or completions on which sampler and trainer are too far apart. @module */
import { type KlEstimator, plainKl } from "../../gpu/losses/kl.ts";
import type { MethodNotes } from "../../gpu/losses/method.ts";
import { clamp, countedValues, largest, mapRows, maskedSum, rowMean, type Rows } from "./masked_rows.ts";
import { LOG_BOUND } from "./sampler_weights.ts";

/** How a completion's tokens become one number; null: every token by itself. */
const LEVELS = {
  token: null,
  seq_sum: maskedSum,
  seq_mean: rowMean,
  seq_max: (row: ArrayLike<number>, mask: ArrayLike<number>) => {
    const values = countedValues([row], [mask]);
    return values.length ? largest(values) : 0;
  },
} as const;

type Level = keyof typeof LEVELS;
/** Of sampler - old per token, nats: k1 is the log of sampler over trainer, as verl writes it. */
type Estimate = Extract<KlEstimator, "k1" | "k2" | "k3">;
export type Criterion = Exclude<`${Level}_${Estimate}`, "seq_max_k1">;

interface CriterionEntry {
  readonly level: Level;
  readonly estimate: Estimate;
  readonly method: MethodNotes;
}

function criterion(level: Level, estimate: Estimate): CriterionEntry {
  const value = { k1: "-q", k2: "q²/2", k3: "exp(q) - 1 - q" }[estimate];
  const over = { token: "", seq_sum: "sum over the completion of ", seq_mean: "mean of ", seq_max: "largest " }[level];
  const kept = estimate === "k1" ? "log low <= x <= log high" : "x <= bound";
  return {
    level,
    estimate,
    method: {
      formula: `x = ${over}${value}, q = old - sampler within ±20; kept where ${kept}`,
      source: "verl rollout_corr_helper.compute_rollout_rejection_mask",
      names: { verl: `algorithm.rollout_correction.rollout_rs=${level}_${estimate}, rollout_rs_threshold` },
    },
  };
}

/** What a token or a completion can be rejected for. */
export const CRITERIA: Readonly<Record<Criterion, CriterionEntry>> = {
  token_k1: criterion("token", "k1"),
  token_k2: criterion("token", "k2"),
  token_k3: criterion("token", "k3"),
  seq_sum_k1: criterion("seq_sum", "k1"),
  seq_sum_k2: criterion("seq_sum", "k2"),
  seq_sum_k3: criterion("seq_sum", "k3"),
  seq_mean_k1: criterion("seq_mean", "k1"),
  seq_mean_k2: criterion("seq_mean", "k2"),
  seq_mean_k3: criterion("seq_mean", "k3"),
  seq_max_k2: criterion("seq_max", "k2"),
  seq_max_k3: criterion("seq_max", "k3"),
};

/** Bounds of what is kept, in the unit of the estimate: nats. */
export interface RejectionBounds {
  /** Null: no lower bound. */
  readonly low: number | null;
  readonly high: number;
}

/** Bounds of a criterion as they are written: for k1 two ratios, else the largest estimate. */
export function rejectionBounds(name: Criterion, written: number | readonly [number, number]): RejectionBounds {
  if (CRITERIA[name].estimate !== "k1") return { low: null, high: written as number };
  const [low, high] = typeof written === "number" ? [1 / written, written] : written;
  return { low: Math.log(low), high: Math.log(high) };
}

export interface Rejection {
  readonly name: Criterion;
  readonly bounds: RejectionBounds;
  /** [B, T]: the estimate of every token; that of its completion where the criterion is of completions. */
  readonly values: Rows;
  /** [B], or null for a criterion of tokens. */
  readonly completions: readonly number[] | null;
  /** [B, T], 0 where the criterion rejects; tokens that do not count are looked at too. */
  readonly keep: Float64Array[];
}

/**
 * Applies one criterion.
 *
 * logRatio, mask   [B, T]  q = old - sampler in nats; 1 on tokens that count
 */
export function rejection(name: Criterion, bounds: RejectionBounds, logRatio: Rows, mask: Rows): Rejection {
  const { level, estimate } = CRITERIA[name], of = LEVELS[level];
  const tokens = mapRows(logRatio, (q) => plainKl(estimate, -clamp(q, -LOG_BOUND, LOG_BOUND)));
  const completions = of && tokens.map((row, i) => of(row, mask[i]!));
  const values = completions ? tokens.map(({ length }, i) => new Float64Array(length).fill(completions[i]!)) : tokens;
  const { low, high } = bounds;
  return {
    name,
    bounds,
    values,
    completions,
    keep: mapRows(values, (value) => value <= high && (low === null || value >= low) ? 1 : 0),
  };
}
