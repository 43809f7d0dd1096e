/** What sampling settings do to logits, with transformers' semantics (`generation/logits_process.py`). @module */
import type { Value } from "../onnx/graph.ts";

/** Divides positive and multiplies negative logits of tokens already seen; seen bool, penalty [1]. Each token once. */
export function repetitionPenalty(logits: Value, seen: Value, penalty: Value): Value {
  const penalized = logits.less(0).where(logits.mul(penalty), logits.div(penalty));
  return seen.where(penalized, logits);
}

/** bool, the k largest scores and every tie of the k-th. */
export function topKKeeps(scores: Value, k: number): Value {
  const [largest] = scores.topK(k);
  return scores.greaterOrEqual(largest.slice([k - 1], [k], [1]));
}

/** Of a sum of probabilities: a float32 sum's rounding. */
export const SLACK = 1e-6;

/**
 * bool, of scores sorted from the largest: the smallest set whose probability reaches topP, at least one.
 * transformers removes where the ascending cumulative probability is <= 1 - topP; the slack is a float32 sum's rounding,
 * so that equal probabilities are cut where exact arithmetic cuts them.
 */
export function topPKeeps(sorted: Value, topP: Value): Value {
  const upward = sorted.softmax().cumsum(1, { reverse: true });
  const { graph } = sorted, size = Number(sorted.shape[1]);
  const first = graph.constant(Uint8Array.from({ length: size }, (_, i) => +(i === 0)), [1, size], "bool");
  return upward.greater(topP.neg().add(1 + SLACK)).or(first);
}

/** bool, at least minP times as likely as the most likely token. */
export function minPKeeps(scores: Value, minP: Value): Value {
  const probabilities = scores.softmax();
  return probabilities.greaterOrEqual(probabilities.reduceMax([1]).mul(minP));
}
