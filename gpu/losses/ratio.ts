/** The importance ratio of the policy to the one that sampled. @module */
import { z } from "zod";
import type { Value } from "../onnx/graph.ts";
import type { PolicyTokens } from "./objective.ts";

/** What a ratio is of, and where it comes from. */
export const RATIO_LEVELS = {
  /** exp(lp - old) of each token (PPO, GRPO). */
  token: { perToken: true },
  /** exp of the mean log-ratio of a completion's tokens (GSPO eq. 7; TRL `importance_sampling_level: sequence`). */
  sequence: { perToken: false },
  /** The same value at every token, with the gradient of its own log-prob (GSPO-token; verl gspo). */
  sequence_token: { perToken: true },
  /** exp of the summed log-ratio: the ratio of the completions' probabilities (TRL RLOO). */
  sequence_sum: { perToken: false },
} as const;

export type RatioLevel = keyof typeof RATIO_LEVELS;

/** The options of every objective that has a ratio. */
export const RATIO_OPTIONS = {
  ratio_level: z.enum(Object.keys(RATIO_LEVELS) as [RatioLevel, ...RatioLevel[]]).optional().describe(
    "what the ratio is of: a token, a completion (mean log-ratio), sequence_token (that with a token's gradient), sequence_sum; token if absent",
  ),
  log_ratio_bound: z.number().positive().nullable().optional().describe(
    "bound of the log-ratio in nats: of a token's on both sides, of a completion's from above; none if absent or null",
  ),
} as const;

/** How the ratio is made. */
interface RatioSettings {
  readonly onPolicy: boolean;
  readonly ratioLevel?: RatioLevel;
  /** Bounds a token's log-ratio on both sides, a sequence's from above, nats; null = none. */
  readonly logRatioBound?: number | null;
  /** Padding keeps the log-ratio that stands there, and a completion's ratio is 0 there (OpenRLHF). */
  readonly rawPadding?: boolean;
}

export interface Ratio {
  /** float [B, T], nats: lp - old, 0 where the mask is, with the bound of a token's. */
  readonly logRatio: Value;
  /** float [B, T], or [B, 1] at level sequence and sequence_sum. */
  readonly ratio: Value;
}

/** Mean over the counted tokens of each row: float [B, 1]; 0 of a row without one. */
export function rowMean(value: Value, mask: Value): Value {
  return value.mul(mask).sum([1]).div(mask.sum([1]).max(1));
}

/**
 * The ratio to the policy that sampled, of `old_logprobs`; on policy those are the policy's own, stop-gradient: every
 * ratio is 1 and its gradient is not 0. Padding gets a log-ratio of 0.
 * Source: TRL grpo_trainer._compute_loss, rloo_trainer._compute_loss; verl core_algos.compute_policy_loss_*.
 */
export function ratioOf(settings: RatioSettings, { logprobs, mask, input }: PolicyTokens): Ratio {
  const { onPolicy, ratioLevel = "token", logRatioBound: bound = null, rawPadding = false } = settings;
  const apart = logprobs.sub(onPolicy ? logprobs.stopGradient() : input("old_logprobs"));
  const free = rawPadding ? apart : apart.mul(mask);
  if (ratioLevel === "token") {
    const logRatio = bound === null ? free : free.clip(-bound, bound);
    return { logRatio, ratio: logRatio.exp() };
  }
  const row = ratioLevel === "sequence_sum" ? free.sum([1]) : rowMean(free, mask);
  const level = ratioLevel === "sequence_token" ? logprobs.sub(logprobs.stopGradient()).add(row.stopGradient()) : row;
  const ratio = (bound === null ? level : level.clip(null, bound)).exp();
  return { logRatio: free, ratio: rawPadding ? ratio.mul(mask) : ratio };
}
