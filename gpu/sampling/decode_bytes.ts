/** How many bytes sampling holds for rows that are decoded at once, told before it begins. @module */
import { type ModelConfig, rotaryDim } from "../models/config.ts";
import { bucketLength } from "../models/padding.ts";
import { parameterLayout } from "../models/parameters.ts";
import { runBytes } from "../onnx/liveness.ts";
import { type Adapter, adapterSizes } from "../weights/adapter.ts";
import type { Bits } from "../weights/quantized.ts";
import { decodeGraph, prefillGraph } from "./decode_graph.ts";
import { PART, WHOLE } from "./decoder.ts";
import { cacheSize } from "./kv_cache.ts";
import { besideGraph, graphKey, type SamplerKind } from "./pick.ts";

interface DecodeShape {
  readonly prompts: number;
  readonly group: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

interface DecodeKind {
  readonly adapter?: Adapter | null;
  readonly bits?: Bits | null;
  /** How tokens are drawn; from the plain softmax where it is not said. */
  readonly sampler?: SamplerKind;
}

/** Of the cache's two arrays: the one rows are in, and of the other what smaller batches of them are moved to. */
const CACHES = 1.5;
const MOST_ROWS = 1 << 12; // Rows up to which a graph's values are placed one by one.
const PLAIN: SamplerKind = {
  greedy: false,
  temperature: false,
  topK: 0,
  topP: false,
  minP: false,
  repetitionPenalty: false,
  host: true,
};
const KEPT = 256, known = new Map<string, number>();

/**
 * Bytes for `prompts` times `group` rows: keys and values of every layer, what the graphs that read the prompts and
 * compute a step hold besides, and what the next token is drawn from.
 */
export function decodingBytes(config: ModelConfig, shape: DecodeShape, kind: DecodeKind = {}): number {
  const { prompts, group, promptTokens, completionTokens } = shape,
    rows = prompts * group,
    { vocabSize, heads } = config;
  const tokens = bucketLength(promptTokens), capacity = Math.max(tokens, bucketLength(promptTokens + completionTokens));
  const inParts = tokens > WHOLE, read = inParts ? 1 : prompts, width = inParts ? PART : tokens;
  const scores = 4 * read * heads * width * tokens;
  return CACHES * 4 * cacheSize(config, rows, capacity) +
    besideGraph(kind.sampler ?? PLAIN) * (prompts + rows) * vocabSize +
    imageBytes(config) * prompts * tokens +
    Math.max(scores + arenaBytes(config, width, read, capacity, kind), arenaBytes(config, 1, rows, capacity, kind));
}

/** Of each token of a prompt what `promptImages` gives beside it: its turn, its slot, at most a row of features. */
function imageBytes(config: ModelConfig): number {
  return config.vision ? 4 * (config.hiddenSize + rotaryDim(config) + 1) + 8 * 2 : 0;
}

/** What the graph that reads `tokens` of each row takes. */
function arenaBytes(config: ModelConfig, tokens: number, rows: number, capacity: number, kind: DecodeKind): number {
  if (rows > MOST_ROWS) return rows / MOST_ROWS * arenaBytes(config, tokens, MOST_ROWS, capacity, kind);
  const { adapter = null, bits = null, sampler = PLAIN } = kind;
  const key = JSON.stringify([config, tokens, rows, capacity, adapterSizes(adapter), bits, graphKey(sampler)]),
    before = known.get(key);
  if (before !== undefined) return before;
  const options = {
    config,
    layout: adapter?.layout ?? parameterLayout(config),
    adapter,
    bits,
    provider: "cpu",
  } as const;
  const graph = tokens === 1 ? decodeGraph(options, sampler) : prefillGraph(options, tokens);
  const bytes = runBytes(graph, { B: rows, capacity, positions: capacity }).arena;
  if (known.size >= KEPT) known.clear();
  known.set(key, bytes);
  return bytes;
}
