/**
 * The forward pass for training: groups of completions over a prompt that is computed once.
 *
 * Prompt tokens [P·Tp] and completion tokens [P·G·(Tc-1)] are rows of the same matrices; only attention tells them apart:
 * completions attend to their group's prompt and, causally, to themselves. The last completion token predicts nothing and
 * is not computed; the last layer computes, of a prompt, only the token that predicts the first completion token.
 * @module
 */
import type { DType, Graph, Value } from "../onnx/graph.ts";
import type { PolicyTokens } from "../losses/objective.ts";
import { attend, Masks } from "./attention.ts";
import { embed, layers, normalize, scalarValues } from "./blocks.ts";
import type { GraphWeights } from "../weights/graph_weights.ts";
import { imageFeatures, type ImageShape } from "./vision/tower.ts";
import { type ModelConfig, rotaryDim } from "./config.ts";
import { type HeadOptions, tokenHead } from "./head.ts";
import { ropeInputs, type RopeTable, rotate } from "./rope_inputs.ts";

/** Sizes of one batch; B = prompts · group completions. */
export interface BatchShape {
  readonly prompts: number;
  readonly group: number;
  /** Tp ≥ 1, tokens. */
  readonly promptTokens: number;
  /** Tc ≥ 2, tokens. */
  readonly completionTokens: number;
  /** A row holds several sequences, which do not see each other; group 1. */
  readonly packed?: boolean;
  /** The longest sequence is beyond `longFrom`: read with the rotary tables of such. */
  readonly long?: boolean;
  /** Of a model with a tower, always: the images of all prompts, or a filler that none reads. */
  readonly images?: ImageShape;
}

/** What a prompt with images is, beside its tokens. */
interface PromptImages {
  readonly shape: ImageShape;
  /** int64 [P · Tp]: the row of the features that stands in place of a token; any where `isImage` is 0. */
  readonly slots: Value;
  /** float32 [P · Tp, 1]. */
  readonly isImage: Value;
  /** Rotary tables of the prompts' tokens, float [P · Tp, rotaryDim / 2]. */
  readonly table: RopeTable;
  /** float32 [P]: the position of the first token behind a prompt. */
  readonly next: Value;
}

interface ForwardInputs {
  /** int64 [P, Tp], left-padded. */
  readonly prompts: Value;
  /** float32 [P, Tp], 1 on tokens, 0 on padding. */
  readonly promptMask: Value;
  /** int64 [B, Tc], right-padded; any id in range where padded. */
  readonly completions: Value;
  /** The rotary table of a layer, null where it has none. */
  readonly rope: (layer: number) => RopeTable | null;
  /** Of packed rows, float32 [B, Tc] each: the number of a token's sequence, 0 that of the prompt; its place in that. */
  readonly packing: { readonly segments: Value; readonly places: Value } | null;
  readonly images: PromptImages | null;
}

/** Declares the inputs of `ForwardInputs`; `tables` is the number of rotary positions. float64 is for gradient checks. */
export function forwardInputs(
  graph: Graph,
  shape: BatchShape,
  config: ModelConfig,
  tables: number,
  dtype: DType = "float32",
): ForwardInputs {
  const { prompts: p, group: g, promptTokens: tp, completionTokens: tc } = shape;
  return {
    prompts: graph.input("prompts", { dtype: "int64", shape: [p, tp] }),
    promptMask: graph.input("prompt_mask", { dtype: "float32", shape: [p, tp] }),
    completions: graph.input("completions", { dtype: "int64", shape: [p * g, tc] }),
    rope: ropeInputs(graph, config, tables, dtype),
    packing: shape.packed
      ? {
        segments: graph.input("segments", { dtype: "float32", shape: [p * g, tc] }),
        places: graph.input("places", { dtype: "float32", shape: [p * g, tc] }),
      }
      : null,
    images: shape.images ? promptImages(graph, shape, shape.images, config, dtype) : null,
  };
}

function promptImages(
  graph: Graph,
  { prompts: p, promptTokens: tp }: BatchShape,
  shape: ImageShape,
  config: ModelConfig,
  dtype: DType,
): PromptImages {
  const table = { dtype, shape: [p * tp, rotaryDim(config) / 2] };
  return {
    shape,
    slots: graph.input("image_slots", { dtype: "int64", shape: [p * tp] }),
    isImage: graph.input("is_image", { dtype: "float32", shape: [p * tp, 1] }),
    table: { cos: graph.input("prompt_cos", table), sin: graph.input("prompt_sin", table) },
    next: graph.input("prompt_next", { dtype: "float32", shape: [p] }),
  };
}

/** What attention needs to know besides queries and keys: int64 positions and masks. */
interface Places {
  readonly promptPositions: Value;
  readonly completionPositions: Value;
  /** Of all prompt tokens, of the last alone, and of completion tokens over prompt and completion. */
  readonly prompt: Masks;
  readonly lastPrompt: Masks;
  readonly completion: Masks;
}

function places(inputs: ForwardInputs, shape: BatchShape, dtype: DType): Places {
  const { prompts: p, group: g, promptTokens: tp, completionTokens: tc } = shape, tq = tc - 1;
  const { promptMask: mask, packing, images } = inputs, { graph } = mask;
  const steps = graph.constant(Float32Array.from({ length: tq }, (_, t) => t), [1, 1, tq]);
  const completionPositions = packing?.places.slice([0], [tq], [1]) ??
    (images?.next ?? mask.sum([1])).reshape([p, 1, 1]).add(steps).expand([p, g, tq]).reshape([p * g, tq]);
  // A token sees those of its sequence; that of the prompt has number 0. Of completions, keys are not padding before them.
  const queries = packing?.segments.slice([0], [tq], [1]);
  const segments = queries ? { queries, keys: queries.pad([0, tp], [0, 0]) } : null;
  const within = { keys: mask, segments: null };
  return {
    // The tables of prompts with images have a row per token.
    promptPositions: images
      ? graph.constant(BigInt64Array.from({ length: p * tp }, (_, i) => BigInt(i)), [p, tp])
      : mask.cumsum(1).sub(1).max(0).cast("int64"),
    completionPositions: completionPositions.cast("int64"),
    prompt: new Masks(within, tp, tp, dtype),
    lastPrompt: new Masks(within, 1, tp, dtype),
    completion: new Masks({ keys: mask.pad([0, 0], [0, tq], 1), segments }, tq, tp + tq, dtype),
  };
}

interface Attended {
  readonly q: Value;
  readonly k: Value;
  readonly v: Value;
}

/** qkv rows [B·T, (H+2K)·hd] to normalized, rotated heads [B, H or K, T, hd]. */
function heads(
  qkv: Value,
  size: readonly [number, number],
  positions: Value,
  table: RopeTable | null,
  weights: GraphWeights,
  layer: number,
  config: ModelConfig,
): Attended {
  const { heads: h, kvHeads: kv, headDim, qkNorm } = config;
  const turned = (x: Value) => (table ? rotate(x, positions, table) : x);
  const byHead = (x: Value, count: number) => x.reshape([...size, count, headDim]).transpose([0, 2, 1, 3]);
  const norm = (x: Value, name: string) => normalize(x, weights, `${layer}.${name}`, config);
  if (qkNorm === "full") {
    const [q, k, v] = qkv.split(-1, [h, kv, kv].map((count) => count * headDim)) as [Value, Value, Value];
    return { q: turned(byHead(norm(q, "q_norm"), h)), k: turned(byHead(norm(k, "k_norm"), kv)), v: byHead(v, kv) };
  }
  const all = byHead(qkv, h + 2 * kv);
  if (qkNorm === "head") {
    const [q, k, v] = all.split(1, [h, kv, kv]) as [Value, Value, Value];
    return { q: turned(norm(q, "q_norm")), k: turned(norm(k, "k_norm")), v };
  }
  const [qk, v] = all.split(1, [h + kv, kv]);
  const [q, k] = turned(qk!).split(1, [h, kv]);
  return { q: q!, k: k!, v: v! };
}

/** Repeats each prompt's keys or values [P, K, Tp, hd] for its G completions: [B, K, Tp, hd]. */
function perCompletion(x: Value, group: number): Value {
  const [p, ...rest] = x.dims as [number, number, number, number];
  return group === 1 ? x : x.reshape([p, 1, ...rest]).expand([p, group, ...rest]).reshape([p * group, ...rest]);
}

/** Hidden states [B·Tc, D], normalized, at the position before each completion token: what predicts it. */
function predictingStates(
  inputs: ForwardInputs,
  weights: GraphWeights,
  shape: BatchShape,
  config: ModelConfig,
): Value {
  const { prompts: p, group: g, promptTokens: tp, completionTokens: tc } = shape;
  const b = p * g, tq = tc - 1, d = config.hiddenSize;
  const inputIds = inputs.completions.slice([0], [tq], [1]).reshape([b * tq]);
  const at = places(inputs, shape, weights.dtype);
  const attention = (qkv: Value, x: Value, layer: number) => {
    const last = layer === config.layers - 1, { window } = config.layerKinds[layer]!;
    const [promptRows, completionRows] = qkv.split(0, [p * tp, b * tq]);
    const table = inputs.rope(layer), promptTable = table && (inputs.images?.table ?? table);
    const own = heads(completionRows!, [b, tq], at.completionPositions, table, weights, layer, config);
    const shared = heads(promptRows!, [p, tp], at.promptPositions, promptTable, weights, layer, config);
    const promptQuery = last ? shared.q.slice([tp - 1], [tp], [2]) : shared.q;
    const y = attend(promptQuery, shared.k, shared.v, last ? at.lastPrompt : at.prompt, window, config).concat([
      attend(
        own.q,
        perCompletion(shared.k, g).concat([own.k], 2),
        perCompletion(shared.v, g).concat([own.v], 2),
        at.completion,
        window,
        config,
      ),
    ], 0);
    if (!last || tp === 1) return { y, x };
    const [promptX, completionX] = x.split(0, [p * tp, b * tq]);
    return { y, x: promptX!.reshape([p, tp, d]).slice([tp - 1], [tp], [1]).reshape([p, d]).concat([completionX!], 0) };
  };
  const words = embed(inputs.prompts.reshape([p * tp]).concat([inputIds], 0), weights, config);
  const embedded = inputs.images ? withImages(words, inputs.images, weights, p * tp, config) : words;
  const hidden = layers(embedded, weights, config, { attention, inference: false });
  const [first, rest] = hidden.split(0, [p, b * tq]);
  const predicting = first!.reshape([p, 1, 1, d]).expand([p, g, 1, d]).concat([rest!.reshape([p, g, tq, d])], 2);
  return predicting.reshape([b * tc, d]);
}

/** Embeddings [N, D], those of the first `tokens`, the prompts', with the features of images in place of placeholders. */
function withImages(
  words: Value,
  { shape, slots, isImage }: PromptImages,
  weights: GraphWeights,
  tokens: number,
  { vision, hiddenSize }: ModelConfig,
): Value {
  const [prompts, completions] = words.split(0, [tokens, words.dims[0]! - tokens]);
  const features = imageFeatures(words.graph, shape, weights, vision!, hiddenSize);
  return isImage.greater(0).where(features.gather(slots), prompts!).concat([completions!], 0);
}

/**
 * Log-probabilities of completion tokens under the policy, and what else is asked for: float [B, Tc] each, see
 * `HeadOutputs`; `statistic` throws a RangeError for one that `options` do not name.
 */
export function forward(
  inputs: ForwardInputs,
  weights: GraphWeights,
  shape: BatchShape,
  config: ModelConfig,
  options: HeadOptions = {},
): Pick<PolicyTokens, "logprobs" | "statistic"> & { readonly entropy: Value | null } {
  const { prompts, group, completionTokens: tc } = shape, rows = [prompts * group, tc] as const;
  const hidden = predictingStates(inputs, weights, shape, config);
  const head = tokenHead(hidden, inputs.completions.reshape([rows[0] * tc]), weights, config, options);
  return {
    logprobs: head.logprobs.reshape(rows),
    entropy: head.entropy && head.entropy.reshape(rows),
    statistic(name) {
      const value = head.statistics.get(name);
      if (!value) throw new RangeError(`Cannot read statistic "${name}": the graph was built without it`);
      return value.reshape(rows);
    },
  };
}

/**
 * Values of completion tokens by a scalar head.
 *
 * returns float [B, Tc]: at t the value before completion token t, read at the position that predicts it, the last prompt
 *         token for the first (verl `values[:, -response_length - 1:-1]`, OpenRLHF `values[:, :-1][:, -num_actions:]`)
 */
export function forwardValues(
  inputs: ForwardInputs,
  weights: GraphWeights,
  shape: BatchShape,
  config: ModelConfig,
): Value {
  const states = predictingStates(inputs, weights, shape, config);
  return scalarValues(states, weights).reshape([shape.prompts * shape.group, shape.completionTokens]);
}
