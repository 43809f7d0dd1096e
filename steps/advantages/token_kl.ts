/** What a token pays in its reward for being unlike the reference: KL to it, as a number. @module */
import { KL_ESTIMATORS } from "../../gpu/losses/kl.ts";

const { k1, k2, k3 } = KL_ESTIMATORS;

/** Estimators that a reward can have; a gradient is no matter here, so k3+ is k3. */
export const REWARD_KL = { k1: k1.plain, k2: k2.plain, k3: k3.plain, abs: Math.abs } as const satisfies Record<
  string,
  (difference: number) => number
>;

export type RewardKl = keyof typeof REWARD_KL;

interface TokenKl {
  readonly estimator: RewardKl;
  /** The difference of log-probs is brought within ± this first, nats (verl 20 for k3). */
  readonly differenceBound?: number | undefined;
  /** The estimate is brought within ± this, nats (verl 10 for k3, OpenRLHF 10 for each). */
  readonly bound?: number | undefined;
}

const within = (value: number, bound = Infinity) => Math.min(Math.max(value, -bound), bound);

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
  const plain = REWARD_KL[estimator];
  return Array.from(
    mask,
    (counts, t) => counts ? within(plain(within(logprobs[t]! - refLogprobs[t]!, differenceBound)), bound) : 0,
  );
}

/** Nats per token: mean over completions of the mean over their tokens that count (verl actor/reward_kl_penalty). */
export function meanTokenKl(kl: readonly (readonly number[])[], lengths: readonly number[]): number {
  const means = kl.map((row, i) => row.reduce((a, b) => a + b, 0) / Math.max(1, lengths[i]!));
  return means.reduce((a, b) => a + b, 0) / means.length;
}
