/** What a token pays in its reward for being unlike the reference: KL to it, as a number. @module */
import { type KlEstimator, plainKl } from "../../gpu/losses/kl.ts";

/** Estimators that a reward can have; a gradient is no matter here, so k3+ is k3. */
export const REWARD_KL = ["k1", "k2", "k3", "abs"] as const satisfies readonly KlEstimator[];

export type RewardKl = (typeof REWARD_KL)[number];

interface TokenKl {
  readonly estimator: RewardKl;
  /** The difference of log-probs is brought within ± this first, nats (verl 20 for k3). */
  readonly differenceBound?: number | null | undefined;
  /** The estimate is brought within ± this, nats (verl 10 for k3, OpenRLHF 10 for each). */
  readonly bound?: number | null | undefined;
}

/**
 * KL per token of a completion, nats; 0 where a token does not count (verl core_algos.py kl_penalty, OpenRLHF
 * models/utils.py compute_approx_kl, Schulman "Approximating KL divergence").
 *
 * logprobs, refLogprobs  nats, of the policy that sampled and of the reference
 */
export function tokenKl(
  { estimator, differenceBound, bound }: TokenKl,
  logprobs: ArrayLike<number>,
  refLogprobs: ArrayLike<number>,
  mask: ArrayLike<number>,
): number[] {
  const bounds = { difference: differenceBound ?? null, value: bound ?? null };
  return Array.from(mask, (counts, t) => counts ? plainKl(estimator, logprobs[t]! - refLogprobs[t]!, bounds) : 0);
}

/** Nats per token: mean over completions of the mean over their tokens that count (verl actor/reward_kl_penalty). */
export function meanTokenKl(kl: readonly (readonly number[])[], lengths: readonly number[]): number {
  const means = kl.map((row, i) => row.reduce((a, b) => a + b, 0) / Math.max(1, lengths[i]!));
  return means.reduce((a, b) => a + b, 0) / means.length;
}
