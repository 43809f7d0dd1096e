/** Numbers of pairs: completions of which neighbours are the chosen and the rejected one of a prompt. @module */
import type { Value } from "../../onnx/graph.ts";

/** One number per pair, float [P, 1] each. */
export interface Pair {
  readonly chosen: Value;
  readonly rejected: Value;
}

/** Numbers per completion [2P, 1] as those of the chosen and of the rejected completions. */
export function pairOf(perCompletion: Value): Pair {
  const [chosen, rejected] = perCompletion.reshape([perCompletion.dims[0]! / 2, 2]).split(1, [1, 1]);
  return { chosen: chosen!, rejected: rejected! };
}

/** The same function of both. */
export function eachOf({ chosen, rejected }: Pair, of: (value: Value) => Value): Pair {
  return { chosen: of(chosen), rejected: of(rejected) };
}

/** One number per pair [P, 1] for both its completions: [2P, 1]. */
export function forBoth(perPair: Value): Value {
  return perPair.concat([perPair], 1).reshape([perPair.dims[0]! * 2, 1]);
}

/** 1 on the rows of chosen completions, float [2P, 1]; of rejected ones it is 0. */
export function isChosen(like: Value): Value {
  const rows = like.dims[0]!, values = Float32Array.from({ length: rows }, (_, row) => 1 - row % 2);
  return like.graph.constant(values, [rows, 1]).cast(like.dtype);
}

/**
 * log σ(x) per element, also where σ underflows: the first of log softmax(x, 0).
 *
 * x   float [P, 1]
 */
export function logSigmoid(x: Value): Value {
  return x.concat([x.graph.zeros(x.dims, x.dtype)], 1).logSoftmax(1).slice([0], [1], [1]);
}
