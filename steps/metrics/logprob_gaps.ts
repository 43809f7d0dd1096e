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

/** Largest absolute difference over tokens that count, nats. NaN if one of them is NaN: a sampler that says nothing is found by it. */
export function largestGap(a: Rows, b: Rows, mask: Rows): number {
  let largest = 0;
  for (let row = 0; row < a.length; row++) {
    for (let t = 0; t < a[row]!.length; t++) {
      if (!mask[row]![t]) continue;
      const gap = Math.abs(a[row]![t]! - b[row]![t]!);
      if (Number.isNaN(gap)) return NaN;
      if (gap > largest) largest = gap;
    }
  }
  return largest;
}
