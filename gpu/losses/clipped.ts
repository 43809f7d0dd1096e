/** The clipped objective of PPO and GRPO. @module */
import type { Value } from "../onnx/graph.ts";

export interface ClippedOptions {
  /** Ratios below 1 - clipLow earn nothing more where the advantage is negative. */
  readonly clipLow: number;
  /** Ratios above 1 + clipHigh earn nothing more where it is positive. */
  readonly clipHigh: number;
  /** Upper bound of the ratio where the advantage is negative (TRL `delta`, verl `clip_ratio_c`), or null. */
  readonly ratioCap: number | null;
  /** `sequence`: one ratio per completion, exp of the mean log-ratio over its tokens (GSPO eq. 7). */
  readonly ratioLevel: "token" | "sequence";
}

export interface Clipped {
  /** Per-token loss, [B, T] (the same along T at sequence level). */
  readonly loss: Value;
  /** [B, T] (or [B, 1] at sequence level). */
  readonly ratio: Value;
  /** 1 where the bound took the gradient away, the shape of `ratio`: at sequence level one per completion. */
  readonly clipped: Value;
}

/**
 * Clipped policy-gradient loss (PPO eq. 7, GRPO eq. 3), per token.
 *
 * logprobs      float [B, T]  log p(token) under the policy, nats
 * oldLogprobs   float [B, T]  the same under the policy that sampled; null = the policy itself, ratio exactly 1
 * advantages    float [B, T]  zero mean within a group
 * mask          float [B, T]  1 on completion tokens; padding gets ratio 1
 *
 * When every ratio is 1 the loss is -advantage and its gradient is not 0.
 * Source: TRL `grpo_trainer._compute_loss`; a cap of at least 1 + clipHigh is verl's dual clip.
 */
export function clipped(
  logprobs: Value,
  oldLogprobs: Value | null,
  advantages: Value,
  mask: Value,
  { clipLow, clipHigh, ratioCap, ratioLevel }: ClippedOptions,
): Clipped {
  const meanOverTokens = (value: Value) => value.mul(mask).sum([1]).div(mask.sum([1]).max(1));
  const logRatio = logprobs.sub(oldLogprobs ?? logprobs.stopGradient()).mul(mask);
  const level = ratioLevel === "token" ? logRatio : meanOverTokens(logRatio);
  const ratio = level.exp();
  const capped = ratioCap === null ? ratio : ratio.clip(null, ratioCap);
  const bounded = ratio.clip(1 - clipLow, 1 + clipHigh);
  const loss = capped.mul(advantages).min(bounded.mul(advantages)).neg();
  const low = ratio.less(1 - clipLow).and(advantages.less(0));
  const high = capped.greater(1 + clipHigh).and(advantages.greater(0));
  const bound = low.or(high).cast(loss.dtype);
  return { loss, ratio, clipped: ratioLevel === "token" ? bound : meanOverTokens(bound) };
}
