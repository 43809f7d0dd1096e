/** Distances between two sets of log-probabilities of the same tokens. @module */

import { KL_ESTIMATORS, type KlEstimator } from "../../gpu/losses/kl.ts";

type Rows = readonly ArrayLike<number>[];

/** Mean KL of the policy to the reference, nats per token that counts. */
export function meanKl(logprobs: Rows, refLogprobs: Rows, mask: Rows, estimator: KlEstimator): number {
  let sum = 0, tokens = 0;
  for (let row = 0; row < logprobs.length; row++) {
    for (let t = 0; t < logprobs[row]!.length; t++) {
      if (!mask[row]![t]) continue;
      sum += KL_ESTIMATORS[estimator].plain(logprobs[row]![t]! - refLogprobs[row]![t]!);
      tokens++;
    }
  }
  return tokens ? sum / tokens : 0;
}

/**
 * Largest absolute difference over tokens that count, nats, of a policy to its sampler; one of which the sampler says
 * nothing (NaN) is as the policy has it, as in every measure of the sampler. NaN if one of the policy is NaN.
 */
export function largestGap(logprobs: Rows, samplerLogprobs: Rows, mask: Rows): number {
  let largest = 0;
  for (let row = 0; row < logprobs.length; row++) {
    for (let t = 0; t < logprobs[row]!.length; t++) {
      if (!mask[row]![t]) continue;
      const own = logprobs[row]![t]!, gap = Math.abs(own - samplerLogprobs[row]![t]!);
      if (Number.isNaN(own)) return NaN;
      if (gap > largest) largest = gap;
    }
  }
  return largest;
}
