/** Grouped-query attention on a shared KV cache, for inference. @module */
import type { Attributes } from "./node.ts";
import type { Value } from "./value.ts";

/** Inputs of GroupQueryAttention besides the query; see `Value.groupQueryAttention`. */
export interface GroupQueryAttentionOptions {
  readonly heads: number;
  readonly kvHeads: number;
  /** [B, T, K·size]; leave out `key` and `value` where the query is packed as [B, T, (H+2K)·size]. */
  readonly key?: Value;
  readonly value?: Value;
  /** [B, K, Tmax, size]: the shared KV cache; bind the presents to the same memory. */
  readonly pastKey: Value;
  readonly pastValue: Value;
  /** int32 [B]: tokens in the cache after this call, minus 1. */
  readonly seqlens: Value;
  /** int32 [1]: the longest row's tokens after this call. */
  readonly total: Value;
  /** float32 [positions, size/2]; with them the op rotates queries and keys itself. */
  readonly cos?: Value;
  readonly sin?: Value;
  /** int64 [B, T]. */
  readonly positions?: Value;
  /** float32 [B or 1, H or 1, T, total]: added to the scores. */
  readonly bias?: Value;
  /** Default 1/sqrt(size). */
  readonly scale?: number;
  /** A query sees itself and the `window` - 1 keys before it (transformers' sliding window); absent = all. */
  readonly window?: number;
  /** Scores x become softcap · tanh(x / softcap). */
  readonly softcap?: number;
}

/** See `Value.groupQueryAttention`. */
export function groupQueryAttention(query: Value, options: GroupQueryAttentionOptions): [Value, Value, Value] {
  const { heads, kvHeads, key = null, value = null, cos = null, sin = null, positions = null, bias = null } = options;
  const { scale, window, softcap } = options;
  const { pastKey, pastValue, seqlens, total } = options;
  const attributes: Attributes = {
    num_heads: heads,
    kv_num_heads: kvHeads,
    do_rotary: cos ? 1 : 0,
    ...(scale === undefined ? {} : { scale: { float: scale } }),
    ...(window === undefined ? {} : { local_window_size: window }),
    ...(softcap === undefined ? {} : { softcap: { float: softcap } }),
  };
  const inputs = [query, key, value, pastKey, pastValue, seqlens, total, cos, sin, positions, bias];
  const [y, presentKey, presentValue] = query.graph.emitMany("GroupQueryAttention", inputs, attributes);
  return [y!, presentKey!, presentValue!];
}
