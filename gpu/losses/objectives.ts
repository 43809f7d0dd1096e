/** Objectives: from log-probabilities of completion tokens to a per-token loss, with what it reports. @module */
import type { Value } from "../onnx/graph.ts";
import { clipped, type ClippedOptions } from "./clipped.ts";
import { crossEntropy } from "./cross_entropy.ts";
import { type KlEstimator, klToReference } from "./kl.ts";

export interface KlTerm {
  readonly estimator: KlEstimator;
  /** β, what one nat of KL costs. */
  readonly coefficient: number;
  /** Multiplies the estimate by the ratio, gradient included (TRL `use_bias_correction_kl`). */
  readonly timesRatio: boolean;
}

export interface CrossEntropyLoss {
  readonly objective: "cross_entropy";
}

export interface ClippedLoss extends ClippedOptions {
  readonly objective: "clipped";
  /** True in the first update after sampling: `old_logprobs` are the policy's own, stop-gradient. */
  readonly onPolicy: boolean;
  /** KL to the reference added to the loss, or null. */
  readonly kl: KlTerm | null;
}

export type Loss = CrossEntropyLoss | ClippedLoss;

/** Per-token inputs an objective may ask for, float32 [B, Tc] each. */
export type LossInput = "old_logprobs" | "ref_logprobs" | "advantages";

/** `loss` and `kl` are per token, `ratio` and `clipped` per `unit`; sums of all but `loss` are metrics. */
export interface TokenLosses {
  readonly loss: Value;
  /** What has one ratio: a token [B, T], or a completion [B, 1]. */
  readonly unit: "token" | "sequence";
  readonly clipped: Value | null;
  readonly ratio: Value | null;
  readonly kl: Value | null;
}

/** Which inputs a loss reads. */
export function lossInputs(loss: Loss): LossInput[] {
  if (loss.objective === "cross_entropy") return [];
  return [
    "advantages",
    ...(loss.onPolicy ? [] : ["old_logprobs" as const]),
    ...(loss.kl ? ["ref_logprobs" as const] : []),
  ];
}

/**
 * logprobs  float [B, T]  nats
 * mask      float [B, T]  1 on tokens that count
 * input     reads one of `lossInputs(loss)`
 * returns   null for what the objective has none of
 */
export function tokenLosses(loss: Loss, logprobs: Value, mask: Value, input: (name: LossInput) => Value): TokenLosses {
  if (loss.objective === "cross_entropy") {
    return { loss: crossEntropy(logprobs), unit: "token", clipped: null, ratio: null, kl: null };
  }
  const unit = loss.ratioLevel;
  const old = loss.onPolicy ? null : input("old_logprobs");
  const policy = clipped(logprobs, old, input("advantages"), mask, loss);
  if (!loss.kl) return { ...policy, unit, kl: null };
  const { estimator, coefficient, timesRatio } = loss.kl;
  const estimate = klToReference(estimator, logprobs, input("ref_logprobs"), mask);
  const kl = timesRatio ? estimate.mul(policy.ratio) : estimate;
  return { ...policy, unit, loss: policy.loss.add(kl.mul(coefficient)), kl };
}
