/**
 * What a language model says of each next token, from its hidden states: log-probs, entropy and statistics.
 *
 * Logits of all tokens at once, float [N, V], and what is computed of them are most of a pass's memory where the
 * vocabulary is large. Beyond a bound the rows are cut into chunks: of each only the numbers per token are kept, and a
 * backward pass computes its logits again. A chunk's numbers leave it as one tensor, so that nothing of a chunk can be
 * asked for after the next one has begun.
 * @module
 */
import type { StatisticName } from "../losses/objective.ts";
import type { Value } from "../onnx/graph.ts";
import type { GraphWeights } from "../weights/graph_weights.ts";
import { logits, tokenLogprobs } from "./blocks.ts";
import type { ModelConfig } from "./config.ts";

/** Bytes of a chunk's logits. A chunk reads the whole head once more: too small a one is slow. */
const HEAD_BYTES = 1 << 27;

export interface HeadOptions {
  /** Logits are divided by it; 1 where absent. */
  readonly temperature?: number;
  /** What is asked of each token beside its log-prob, with gradient. */
  readonly statistics?: readonly StatisticName[];
  /** Also the entropy without gradient. */
  readonly entropy?: boolean;
  /** HEAD_BYTES where absent. */
  readonly headBytes?: number;
}

interface HeadOutputs {
  /** float [N], nats. */
  readonly logprobs: Value;
  /** float [N], nats, through which no gradient flows; null where it was not asked for. */
  readonly entropy: Value | null;
  /** float [N], with gradient. */
  readonly statistics: ReadonlyMap<StatisticName, Value>;
}

/**
 * Rows of the chunks that `rows` rows of logits over a vocabulary are cut into: equal ones, so that each takes the memory
 * of the one before, and before them, as ONNX Runtime runs the last first, what is left over.
 */
export function chunkRows(rows: number, vocabulary: number, headBytes = HEAD_BYTES): number[] {
  const most = Math.max(1, Math.floor(headBytes / (4 * vocabulary))), left = rows % most;
  return [...(left > 0 ? [left] : []), ...Array<number>(Math.floor(rows / most)).fill(most)];
}

/**
 * hidden    float [N, D], normalized
 * ids       int64 [N], the tokens that are there
 */
export function tokenHead(
  hidden: Value,
  ids: Value,
  weights: GraphWeights,
  config: ModelConfig,
  { temperature = 1, statistics = [], entropy = false, headBytes }: HeadOptions,
): HeadOutputs {
  const numbers = (rows: Value, tokens: Value): Value[] => {
    const told = tokenLogprobs(logits(rows, weights, config, temperature), tokens);
    return [told.logprobs, ...(entropy ? [told.entropy] : []), ...statistics.map(told.statistic)];
  };
  const sizes = chunkRows(hidden.dims[0]!, config.vocabSize, headBytes);
  const all = sizes.length === 1 || weights.drops(config.tiedEmbeddings ? "embed" : "head")
    ? numbers(hidden, ids)
    : inChunks(hidden, ids, sizes, numbers);
  return {
    logprobs: all[0]!,
    entropy: entropy ? all[1]! : null,
    statistics: new Map(statistics.map((name, i) => [name, all[(entropy ? 2 : 1) + i]!])),
  };
}

/** The same numbers, float [N] each, chunk by chunk. */
function inChunks(
  hidden: Value,
  ids: Value,
  sizes: readonly number[],
  numbers: (rows: Value, tokens: Value) => readonly Value[],
): Value[] {
  const { graph } = hidden, rows = hidden.split(0, sizes), tokens = ids.split(0, sizes);
  const chunks = sizes.map((size, i) => {
    const from = graph.nodes.length;
    const [first, ...rest] = numbers(rows[i]!, tokens[i]!).map((value) => value.reshape([1, size]));
    const told = first!.concat(rest, 0);
    graph.recompute(from);
    return told;
  });
  const all = chunks[0]!.concat(chunks.slice(1), 1), [count, total] = all.dims as [number, number];
  return all.split(0, Array<number>(count).fill(1)).map((value) => value.reshape([total]));
}
