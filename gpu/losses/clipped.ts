/** The clipped objective of PPO and GRPO. @module */
import { z } from "zod";
import type { Value } from "../onnx/graph.ts";
import { klToReference } from "./kl.ts";
import type { RolloutLoss, RolloutObjective } from "./objective.ts";
import { CLIP } from "./presets.ts";

const params = z.strictObject({
  clip_low: z.number().min(0).optional().describe(`ε below 1; ${CLIP} if absent`),
  clip_high: z.number().min(0).optional().describe(`ε above 1; ${CLIP} if absent`),
  ratio_cap: z.number().min(1).optional().describe(
    "upper bound of the ratio where the advantage is negative (dual clip)",
  ),
});

export interface ClippedLoss extends RolloutLoss {
  readonly objective: "clipped";
  /** Ratios below 1 - clipLow earn nothing more where the advantage is negative. */
  readonly clipLow: number;
  /** Ratios above 1 + clipHigh earn nothing more where it is positive. */
  readonly clipHigh: number;
  /** Upper bound of the ratio where the advantage is negative (TRL `delta`, verl `clip_ratio_c`), or null. */
  readonly ratioCap: number | null;
  /** `sequence`: one ratio per completion, exp of the mean log-ratio over its tokens (GSPO eq. 7). */
  readonly ratioLevel: "token" | "sequence";
}

/**
 * Reads advantages, float [B, T], zero mean within a group; off policy old_logprobs and with a KL ref_logprobs, float
 * [B, T], nats. Metrics: the share of ratios that were clipped, the mean ratio, and the KL in nats per token (TRL
 * `clip_ratio/region_mean`, `kl`).
 */
export const clipped = {
  params,
  lossOf: ({ clip_low, clip_high, ratio_cap }, preset) => ({
    objective: "clipped",
    clipLow: clip_low ?? preset?.clip_low ?? CLIP,
    clipHigh: clip_high ?? preset?.clip_high ?? CLIP,
    ratioCap: ratio_cap ?? preset?.ratio_cap ?? null,
    ratioLevel: preset?.ratio_level ?? "token",
  }),
  settings: ({ clipLow, clipHigh }) => ({ clip_low: clipLow, clip_high: clipHigh }),
  isMinusAdvantage: ({ ratioLevel }) => ratioLevel === "token",
  unit: "token",
  inputs: ({ onPolicy, kl }) => ({
    advantages: "token",
    ...(onPolicy ? {} : { old_logprobs: "token" }),
    ...(kl ? { ref_logprobs: "token" } : {}),
  }),
  metrics: {
    clip_fraction: ({ ratioLevel }) => ({ over: ratioLevel }),
    ratio_mean: ({ ratioLevel }) => ({ over: ratioLevel, ofNothing: null }),
    kl: ({ kl }) => kl && { over: "token" },
  },
  graph(loss, { logprobs, mask, input }) {
    const old = loss.onPolicy ? null : input("old_logprobs");
    const policy = clip(logprobs, old, input("advantages"), mask, loss);
    const metrics = { clip_fraction: policy.clipped, ratio_mean: policy.ratio };
    if (!loss.kl) return { loss: policy.loss, metrics };
    const { estimator, coefficient, timesRatio } = loss.kl;
    const estimate = klToReference(estimator, logprobs, input("ref_logprobs"), mask);
    const kl = timesRatio ? estimate.mul(policy.ratio) : estimate;
    return { loss: policy.loss.add(kl.mul(coefficient)), metrics: { ...metrics, kl } };
  },
} as const satisfies RolloutObjective<ClippedLoss, typeof params>;

/**
 * Clipped policy-gradient loss (PPO eq. 7, GRPO eq. 3), per token.
 *
 * logprobs      float [B, T]  log p(token) under the policy, nats
 * oldLogprobs   float [B, T]  the same under the policy that sampled; null = the policy itself, ratio exactly 1
 * mask          float [B, T]  1 on completion tokens; padding gets ratio 1
 * returns       loss [B, T] (the same along T at sequence level); ratio [B, T], or [B, 1] at sequence level; clipped of
 *               that shape, 1 where the bound took the gradient away, at sequence level a completion's mean
 *
 * When every ratio is 1 the loss is -advantage and its gradient is not 0.
 * Source: TRL `grpo_trainer._compute_loss`; a cap of at least 1 + clipHigh is verl's dual clip.
 */
function clip(
  logprobs: Value,
  oldLogprobs: Value | null,
  advantages: Value,
  mask: Value,
  { clipLow, clipHigh, ratioCap, ratioLevel }: ClippedLoss,
) {
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
