/**
 * Heads as wide as GroupQueryAttention has a kernel for.
 *
 * A head is two halves, which rotary embedding turns into each other; each half is filled up with zeros, so that the pairs
 * stay pairs. Zeros add nothing to scores or values: the result is that of the narrow head, given its own scale.
 * @module
 */
import type { Value } from "../onnx/graph.ts";
import type { ModelConfig } from "../models/config.ts";
import { cacheHeadDim } from "./kv_cache.ts";

/** [.., n · headDim] to [.., n · cacheHeadDim]. */
export function widenHeads(x: Value, config: ModelConfig): Value {
  return resized(x, config.headDim, cacheHeadDim(config), (halves, have, want) => {
    const none = halves.shape.map(() => 0);
    return halves.pad(none, none.with(-1, want - have));
  });
}

/** [.., n · cacheHeadDim] to [.., n · headDim]. */
export function narrowHeads(x: Value, config: ModelConfig): Value {
  return resized(x, cacheHeadDim(config), config.headDim, (halves, _, want) => halves.slice([0], [want], [-1]));
}

/** A rotary table [positions, headDim / 2] to [positions, cacheHeadDim / 2]; what it says of zeros does not matter. */
export function widenTable(table: Value, config: ModelConfig): Value {
  const more = (cacheHeadDim(config) - config.headDim) / 2;
  return more === 0 ? table : table.pad([0, 0], [0, more]);
}

function resized(
  x: Value,
  from: number,
  to: number,
  resize: (halves: Value, have: number, want: number) => Value,
): Value {
  if (from === to) return x;
  const lead = x.shape.slice(0, -1), heads = Number(x.shape.at(-1)) / from;
  return resize(x.reshape([...lead, heads, 2, from / 2]), from / 2, to / 2).reshape([...lead, heads * to]);
}
