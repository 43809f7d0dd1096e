/** Which tokens of a batch go together with their advantage: those that entropy is lost to. @module */
import type { Value } from "../onnx/graph.ts";

/**
 * (A - mean A)(lp - mean lp) of each token, means over tokens that count; no gradient: float [B, T].
 * Source: Cui et al. 2025, "The Entropy Mechanism of RL for Reasoning LMs"; verl `compute_policy_loss_clip_cov`, `_kl_cov`.
 */
export function covariance(logprobs: Value, advantages: Value, mask: Value): Value {
  const counted = mask.greater(0), tokens = mask.sum().max(1);
  const centered = (value: Value) => value.sub(counted.where(value, 0).sum().div(tokens));
  return centered(advantages).mul(centered(logprobs.stopGradient()));
}

/** max(⌊fraction · tokens that count⌋, 1): float []. */
export function countOf(fraction: number, mask: Value): Value {
  return mask.sum().mul(fraction).cast("int64").cast(mask.dtype).max(1);
}

/** About the largest number of float32: infinite keys stand for it, so that only NaN is above. */
const LARGEST = 3e38;

/**
 * 1 on the `count` largest of `keys` among those where `candidate` is true, or on all of these: float [B, T]. Of equal keys
 * the last are taken, as torch.topk does of two; where all are equal, those of the lowest `whenEqual`, float [B, T]. NaN
 * counts as the largest, above infinity.
 */
export function largestOf(keys: Value, candidate: Value, count: Value, whenEqual: Value): Value {
  const [rows, width] = keys.dims as [number, number], size = rows * width, { graph, dtype } = keys;
  const ranks = graph.constant(Float32Array.from({ length: size }, (_, i) => i), [size]).cast(dtype);
  const ordered = keys.isNaN().where(Infinity, keys.clip(null, LARGEST)), largest = candidate.where(ordered, -Infinity);
  const equal = largest.reduceMax().lessOrEqual(candidate.where(ordered, Infinity).neg().reduceMax().neg());
  const [, start] = equal.where(whenEqual.reshape([size]).neg(), ranks).topK(size, { axis: 0 });
  const [, order] = largest.reshape([size]).gather(start).topK(size, { axis: 0 });
  const first = ranks.less(count).cast(dtype);
  const chosen = graph.zeros([size], dtype).scatterElements(start.gather(order), first, 0);
  return candidate.where(chosen.reshape([rows, width]), 0);
}
