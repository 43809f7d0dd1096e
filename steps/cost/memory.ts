/**
 * How much memory steps take at their peak, from the model's sizes and the tokens they compute at once.
 *
 * Fitted to measured peaks of resident memory, from 250 MB to 4.5 GB: tests/steps/cost/memory_test.ts holds them.
 * @module
 */
import type { Loss } from "../../gpu/losses/mod.ts";
import type { ModelConfig } from "../../gpu/models/config.ts";
import type { BatchShape } from "../../gpu/models/forward.ts";
import { bucketLength } from "../../gpu/models/padding.ts";
import { parameterLayout } from "../../gpu/models/parameters.ts";
import { runBytes } from "../../gpu/onnx/liveness.ts";
import { momentBytes, type OptimizerStateKind } from "../../gpu/optimizers/moments.ts";
import { cacheSize } from "../../gpu/sampling/kv_cache.ts";
import { trainGraph } from "../../gpu/training/train_graph.ts";
import type { Adapter } from "../../gpu/weights/adapter.ts";

/** Bytes of the process before any model: Deno, the library, the code. */
export const PROCESS_BYTES = 230e6;

/** Bytes of a model that trains: weights, gradient, two moments. */
export function trainedBytes(parameters: number, state: OptimizerStateKind = "float32"): number {
  return 8 * parameters + momentBytes(state, parameters);
}

/** Bytes of a model beneath an adapter: its weights alone. */
export function frozenBytes(parameters: number): number {
  return 4 * parameters;
}

/** What of a pass decides its memory besides its shape. */
interface PassKind {
  readonly recompute?: boolean;
  /** What trains upon a frozen base. */
  readonly adapter?: Adapter | null;
}

const OVER_ARENA = 1.05; // Scratch memory of the ops and of the session itself.
const MOST_ROWS = 1 << 14; // Tokens of completions up to which a graph is made to be measured.
const KEPT = 64, known = new Map<string, number>();

/**
 * Bytes of the values that a forward and backward pass holds: those of its graph, in the order in which ONNX Runtime runs it
 * and as its arena places them. Without a vocabulary the head is scalar.
 */
export function trainingBytes(config: ModelConfig, shape: BatchShape, kind: PassKind = {}): number {
  const { prompts, group } = shape, rows = group * bucketLength(shape.completionTokens);
  const most = 2 ** Math.max(1, Math.floor(Math.log2(MOST_ROWS / rows)));
  const of = (prompts: number) => graphBytes(config, { ...shape, prompts }, kind);
  // Of more the graph is not made: each further prompt takes as much as those of the second half did.
  return prompts <= most ? of(prompts) : of(most) + (prompts - most) * (of(most) - of(most / 2)) / (most / 2);
}

function graphBytes(config: ModelConfig, shape: BatchShape, { recompute = false, adapter = null }: PassKind): number {
  const key = JSON.stringify([config, shape, recompute, adapter && [adapter.rank, [...adapter.targets]]]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const [promptTokens, completionTokens] = [
    bucketLength(shape.promptTokens),
    Math.max(2, bucketLength(shape.completionTokens)),
  ];
  const isScalar = config.vocabSize === 0 || config.head === "scalar";
  const own: ModelConfig = isScalar ? { ...config, head: "scalar", vocabSize: Math.max(config.vocabSize, 1) } : config;
  const layout = adapter?.layout ?? parameterLayout(own),
    loss: Loss = isScalar ? { objective: "value", clip: null } : { objective: "cross_entropy" };
  const graph = trainGraph(
    {
      config: own,
      layout,
      adapter,
      provider: "cpu",
      shape: { ...shape, promptTokens, completionTokens },
      positions: promptTokens + completionTokens,
      temperature: 1,
      recompute,
    },
    loss,
    new Set(layout.packed.map(({ name }) => name)),
    { accumulate: false },
  );
  const bytes = OVER_ARENA * runBytes(graph).arena;
  if (known.size >= KEPT) known.clear();
  known.set(key, bytes);
  return bytes;
}

/**
 * The keys and values of every layer for rows that are decoded at once, and the probabilities of their next token; a
 * quarter more while rows move together.
 */
export function decodingBytes(
  config: ModelConfig,
  { prompts, group, promptTokens, completionTokens }: BatchShape,
): number {
  const capacity = bucketLength(promptTokens + completionTokens);
  return 5 * prompts * group * (cacheSize(config, 1, capacity) + 2 * config.vocabSize);
}

/** Rows of the table completions that stay in memory: texts, numbers and four lists per token. */
export function rowsBytes(rows: number, completionTokens: number): number {
  return rows * (4500 + 16 * completionTokens);
}
