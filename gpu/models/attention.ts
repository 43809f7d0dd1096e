/**
 * Attention of the training graphs: scores, what each query may see, and the sum of values.
 *
 * Queries are the last T of S places, so the place of query t among the keys is S - T + t; a window is a band of places,
 * because tokens of one sequence are neighbours, also in padded and packed rows. Much is computed in blocks of queries,
 * each against the keys that its band reaches: no score is computed that nothing can see, no T × S mask stands in the file,
 * and the scores of a block last no longer than the block, derivatives compute them again.
 * @module
 */
import type { DType, Graph, Value } from "../onnx/graph.ts";
import { softcap } from "./blocks.ts";
import type { ModelConfig } from "./config.ts";

const HIDDEN = -1e9; // Added to scores of keys that a query must not see.

/** Scores of one block: of these, memory holds four at once. Smaller ones are as fast (measured on 2 cores, 16 to 256 MB). */
const BLOCK_BYTES = 64 << 20;
/** More blocks than the second only so that none has more queries than the first: each is nodes of the graph, per layer. */
const MOST_QUERIES = 1024, MOST_BLOCKS = 32;

/** What hides keys, apart from their place: float32, 1 on keys that are tokens; the sequence of each in packed rows. */
interface Seen {
  /** [P, S]. */
  readonly keys: Value;
  /** [P, T] and [P, S]; null: each row is one sequence. */
  readonly segments: { readonly queries: Value; readonly keys: Value } | null;
}

/** A rectangle of scores: queries and keys from, to. */
interface Block {
  readonly queries: readonly [number, number];
  readonly keys: readonly [number, number];
}

/** What of `Masks` decides which keys a block of queries can see. */
type Band = Pick<Masks, "queries" | "keys" | "causal">;

/** Blocks of queries with the keys that they can see; `rows` is of how many queries a block has the scores, per place. */
function blocksOf({ queries, keys, causal }: Band, window: number | null, rows: number): Block[] {
  const fitting = Math.floor(BLOCK_BYTES / (4 * rows * keys)), least = Math.ceil(queries / MOST_BLOCKS);
  const before = keys - queries, height = Math.min(MOST_QUERIES, Math.max(fitting, least));
  return Array.from({ length: Math.ceil(queries / height) }, (_, i) => {
    const from = i * height, to = Math.min(queries, from + height);
    if (!causal) return { queries: [from, to], keys: [0, keys] };
    return { queries: [from, to], keys: [Math.max(0, before + from + 1 - (window ?? Infinity)), before + to] };
  });
}

/** Additive masks [P, 1, T, S] of scores, made when first asked for; `window` as in `LayerKind`. */
export class Masks {
  readonly #kept = new Map<string, Value>();

  constructor(
    readonly seen: Seen,
    readonly queries: number,
    readonly keys: number,
    readonly dtype: DType,
    /** A query sees no key behind its own place. */
    readonly causal = true,
  ) {}

  /** The mask of all rows' only block, made once for all layers; windows that reach every key are none. */
  whole(block: Block, window: number | null): Value {
    const key = JSON.stringify([block, window]), known = this.#kept.get(key) ?? this.make(block, window);
    this.#kept.set(key, known);
    return known;
  }

  /** The same of any block; made no sooner than `waiting`, and kept no longer than it is read. */
  make({ queries, keys }: Block, window: number | null, waiting: readonly Value[] = []): Value {
    const { seen } = this, { graph } = seen.keys, [p] = seen.keys.dims, before = this.keys - this.queries;
    const width = keys[1] - keys[0], height = queries[1] - queries[0];
    const cut = (x: Value, [from, to]: readonly [number, number]) => x.after(waiting).slice([from], [to], [1]);
    const concealed = waiting.length > 0;
    const padding = cut(seen.keys, keys).sub(1).mul(-HIDDEN).reshape([p!, 1, 1, width], { concealed });
    const query = range(graph, before + queries[0], height).after(waiting).reshape([height, 1], { concealed });
    const key = range(graph, keys[0], width);
    const later = height === 1 || !this.causal ? null : key.greater(query);
    const earlier = window === null || before + queries[1] - keys[0] <= window
      ? null
      : key.lessOrEqual(query.sub(window));
    const outside = later && earlier ? later.or(earlier) : later ?? earlier;
    const banded = outside ? padding.add(outside.where(HIDDEN, 0)) : padding;
    if (!seen.segments) return banded.cast(this.dtype);
    const own = cut(seen.segments.queries, queries).reshape([p!, 1, height, 1], { concealed });
    const theirs = cut(seen.segments.keys, keys).reshape([p!, 1, 1, width], { concealed });
    return banded.add(own.equal(theirs).where(0, HIDDEN)).cast(this.dtype);
  }
}

function range(graph: Graph, from: number, count: number): Value {
  return graph.constant(Float32Array.from({ length: count }, (_, i) => from + i), [count]);
}

/** What of a model decides its scores. */
type Scores = Pick<ModelConfig, "attentionScale" | "attentionSoftcap">;

/**
 * q [B, H, T, hd], k and v [B, K, S, hd] with the masks of P rows, P a divisor of B; returns [B·T, H·hd].
 * Source: transformers models/gemma2/modeling_gemma2.py `eager_attention_forward`, which others have without the soft cap.
 */
export function attend(q: Value, k: Value, v: Value, masks: Masks, window: number | null, config: Scores): Value {
  const [b, h, t, hd] = q.dims as [number, number, number, number];
  const blocks = blocksOf(masks, window, b * h), [first] = blocks;
  const y = blocks.length === 1
    ? attendBlock(q, cut(k, first!.keys), cut(v, first!.keys), masks.whole(first!, window), config, false)
    : inBlocks(blocks, q, k, v, masks, window, config);
  return y.transpose([0, 2, 1, 3]).reshape([b * t, h * hd]);
}

/** Several blocks: of each, nothing is kept but what it yields, its mask neither. */
function inBlocks(
  blocks: readonly Block[],
  q: Value,
  k: Value,
  v: Value,
  masks: Masks,
  window: number | null,
  config: Scores,
): Value {
  const { graph } = q;
  const [first, ...rest] = blocks.map((block) => {
    const from = graph.nodes.length, mask = masks.make(block, window, [q]);
    const y = attendBlock(cut(q, block.queries), cut(k, block.keys), cut(v, block.keys), mask, config, true);
    graph.recompute(from);
    return y;
  });
  return first!.concat(rest, 2);
}

function cut(x: Value, [from, to]: readonly [number, number]): Value {
  return from === 0 && to === x.dims[2] ? x : x.slice([from], [to], [2]);
}

/** The same of one block, mask [P, 1, T, S]; returns [B, H, T, hd]. `concealed`: no memory of scores waits for others. */
function attendBlock(q: Value, k: Value, v: Value, mask: Value, config: Scores, concealed: boolean): Value {
  const [b, h, t, hd] = q.dims as [number, number, number, number], [, kvHeads, s] = k.dims as [number, number, number];
  const { attentionScale: scale, attentionSoftcap: cap } = config, folded = [b, kvHeads, h / kvHeads * t];
  const shaped = (x: Value, ...shape: number[]) => x.reshape(shape, { concealed });
  const product = shaped(q, ...folded, hd).matmul(k, { transposeB: true, alpha: cap === null ? scale : scale / cap });
  const scores = cap === null ? product : softcap(product, cap), rows = mask.dims[0]!;
  const weights = shaped(scores, rows, b / rows * h, t, s).add(mask).softmax();
  return shaped(shaped(weights, ...folded, s).matmul(v), b, h, t, hd);
}
