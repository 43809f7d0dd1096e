/** How many bytes of values a pass over a batch holds at its most, told before it is loaded. @module */
import type { Loss } from "../losses/mod.ts";
import type { ModelConfig } from "../models/config.ts";
import type { BatchShape } from "../models/forward.ts";
import { bucketLength } from "../models/padding.ts";
import { parameterLayout } from "../models/parameters.ts";
import { partOf } from "../models/vision_parameters.ts";
import { runBytes } from "../onnx/liveness.ts";
import { type Adapter, adapterSizes } from "../weights/adapter.ts";
import type { Bits } from "../weights/quantized.ts";
import { logprobsGraph, trainGraph, type TrainGraphOptions, valuesGraph } from "./train_graph.ts";

/** What of a pass decides its memory besides its shape. */
export interface PassKind {
  /** Loss and gradient; log-probs or, of a scalar head, values. */
  readonly reads?: "gradient" | "values";
  readonly recompute?: boolean;
  /** What trains upon a frozen base. */
  readonly adapter?: Adapter | null;
  /** Of the base's matrices. */
  readonly bits?: Bits | null;
  readonly headBytes?: number | undefined;
  /** The gradient is also that of the entropy of every token: what it reads of the vocabulary stays. */
  readonly entropy?: boolean;
}

const OF_ENTROPY: Loss = {
  objective: "clipped",
  clipLow: 0.2,
  clipHigh: 0.2,
  ratioCap: null,
  ratioLevel: "token",
  onPolicy: true,
  kl: null,
  entropy: { coefficient: 1, aggregation: "token_mean" },
};

const OVER_ARENA = 1.05; // Scratch memory of the ops.
const MOST_ROWS = 1 << 14; // Tokens of completions up to which a graph is made to be measured.
const KEPT = 256, known = new Map<string, number>();

/**
 * Bytes of the values that a pass holds: those of its graph, in the order in which ONNX Runtime runs it and as its arena
 * places them. Without a vocabulary the head is scalar.
 */
export function passBytes(config: ModelConfig, shape: BatchShape, kind: PassKind = {}): number {
  const { prompts, group } = shape, rows = group * bucketLength(shape.completionTokens);
  const most = 2 ** Math.max(1, Math.floor(Math.log2(MOST_ROWS / rows)));
  const of = (prompts: number) => graphBytes(config, { ...shape, prompts }, kind);
  // Of more the graph is not made: each further prompt takes as much as those of the second half did.
  return prompts <= most ? of(prompts) : of(most) + (prompts - most) * (of(most) - of(most / 2)) / (most / 2);
}

function graphBytes(config: ModelConfig, shape: BatchShape, kind: PassKind): number {
  const { reads = "gradient", recompute = false, adapter = null, bits = null, headBytes, entropy = false } = kind;
  const key = JSON.stringify([config, shape, reads, recompute, adapterSizes(adapter), bits, headBytes, entropy]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const isScalar = config.vocabSize === 0 || config.head === "scalar";
  const own: ModelConfig = isScalar ? { ...config, head: "scalar", vocabSize: Math.max(config.vocabSize, 1) } : config;
  const promptTokens = bucketLength(shape.promptTokens);
  const completionTokens = Math.max(2, bucketLength(shape.completionTokens));
  const loss: Loss = isScalar
    ? { objective: "value", clip: null }
    : entropy
    ? OF_ENTROPY
    : { objective: "cross_entropy" };
  const graph = graphOf(reads, isScalar, loss, {
    config: own,
    layout: adapter?.layout ?? parameterLayout(own),
    adapter,
    bits,
    provider: "cpu",
    shape: { ...shape, promptTokens, completionTokens },
    positions: promptTokens + completionTokens,
    temperature: 1,
    recompute,
    ...(headBytes === undefined ? {} : { headBytes }),
  });
  const bytes = OVER_ARENA * runBytes(graph).arena;
  if (known.size >= KEPT) known.clear();
  known.set(key, bytes);
  return bytes;
}

function graphOf(reads: "gradient" | "values", isScalar: boolean, loss: Loss, options: TrainGraphOptions) {
  if (reads === "values") return isScalar ? valuesGraph(options) : logprobsGraph(options);
  const { layout, shape } = options, stage = shape.images?.stage ?? "features";
  // What lies before the stage at which a graph gets its images has no gradient in it.
  const trained = layout.packed.filter(({ parts: [first] }) =>
    stage === "patches" || partOf(first!.name) === "text" || (stage === "states" && partOf(first!.name) === "merger")
  );
  return trainGraph(options, loss, new Set(trained.map(({ name }) => name)), { accumulate: false });
}
