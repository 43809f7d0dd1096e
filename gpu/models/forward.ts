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
import { layers, scalarValues } from "./blocks.ts";
import type { GraphWeights } from "../weights/graph_weights.ts";
import type { ModelConfig } from "./config.ts";
import { type HeadOptions, tokenHead } from "./head.ts";

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
}

interface ForwardInputs {
  /** int64 [P, Tp], left-padded. */
  readonly prompts: Value;
  /** float32 [P, Tp], 1 on tokens, 0 on padding. */
  readonly promptMask: Value;
  /** int64 [B, Tc], right-padded; any id in range where padded. */
  readonly completions: Value;
  /** [positions, headDim / 2]. */
  readonly cos: Value;
  readonly sin: Value;
  /** Of packed rows, float32 [B, Tc] each: the number of a token's sequence, 0 that of the prompt; its place in that. */
  readonly packing: { readonly segments: Value; readonly places: Value } | null;
}

const HIDDEN = -1e9; // Added to scores of keys that a query must not see.

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
    cos: graph.input("cos", { dtype, shape: [tables, config.headDim / 2] }),
    sin: graph.input("sin", { dtype, shape: [tables, config.headDim / 2] }),
    packing: shape.packed
      ? {
        segments: graph.input("segments", { dtype: "float32", shape: [p * g, tc] }),
        places: graph.input("places", { dtype: "float32", shape: [p * g, tc] }),
      }
      : null,
  };
}

/** What attention needs to know besides queries and keys: int64 positions and additive masks. */
interface Places {
  readonly promptPositions: Value;
  readonly completionPositions: Value;
  readonly promptBias: Value;
  readonly lastPromptBias: Value;
  readonly completionBias: Value;
}

function causal(graph: Graph, n: number, before: number): Value {
  const width = before + n;
  const values = Float32Array.from(
    { length: n * width },
    (_, i) => i % width - before > Math.floor(i / width) ? HIDDEN : 0,
  );
  return graph.constant(values, [1, 1, n, width]);
}

function places(inputs: ForwardInputs, shape: BatchShape, dtype: DType): Places {
  const { prompts: p, group: g, promptTokens: tp, completionTokens: tc } = shape, tq = tc - 1;
  const { promptMask: mask } = inputs, { graph } = mask;
  const lengths = mask.sum([1]);
  const steps = graph.constant(Float32Array.from({ length: tq }, (_, t) => t), [1, 1, tq]);
  const completionPositions = inputs.packing?.places.slice([0], [tq], [1]) ??
    lengths.reshape([p, 1, 1]).add(steps).expand([p, g, tq]).reshape([p * g, tq]);
  const keys = mask.sub(1).mul(-HIDDEN).reshape([p, 1, 1, tp]);
  return {
    promptPositions: mask.cumsum(1).sub(1).max(0).cast("int64"),
    completionPositions: completionPositions.cast("int64"),
    promptBias: keys.add(causal(graph, tp, 0)).cast(dtype),
    lastPromptBias: keys.cast(dtype),
    completionBias: apart(keys.pad([0, 0, 0, 0], [0, 0, 0, tq]).add(causal(graph, tq, tp)), inputs, shape).cast(dtype),
  };
}

/** Hides from each token the keys of other sequences of its packed row: bias [P, 1, Tc-1, Tp+Tc-1]. */
function apart(
  bias: Value,
  { packing }: ForwardInputs,
  { prompts: p, promptTokens, completionTokens }: BatchShape,
): Value {
  if (packing === null) return bias;
  const tq = completionTokens - 1, own = packing.segments.slice([0], [tq], [1]);
  const keys = own.pad([0, promptTokens], [0, 0]).reshape([p, 1, 1, promptTokens + tq]);
  const same = own.reshape([p, 1, tq, 1]).equal(keys);
  return bias.add(same.where(0, HIDDEN));
}

/** q [B, H, T, hd], k and v [B, K, S, hd], bias [b, 1, T, S] with b a divisor of B; returns [B, T, H·hd]. */
function attend(q: Value, k: Value, v: Value, bias: Value): Value {
  const [b, h, t, hd] = q.dims as [number, number, number, number], [, kvHeads, s] = k.dims as [number, number, number];
  const folded = [b, kvHeads, h / kvHeads * t];
  const scores = q.reshape([...folded, hd]).matmul(k, { transposeB: true, alpha: hd ** -0.5 });
  const rows = bias.dims[0]!;
  const weights = scores.reshape([rows, b / rows * h, t, s]).add(bias).softmax();
  const y = weights.reshape([...folded, s]).matmul(v).reshape([b, h, t, hd]);
  return y.transpose([0, 2, 1, 3]).reshape([b * t, h * hd]);
}

interface Attended {
  readonly q: Value;
  readonly k: Value;
  readonly v: Value;
}

/** qkv rows [B·T, (H+2K)·hd] to rotated heads [B, H or K, T, hd]. */
function heads(
  qkv: Value,
  size: readonly [number, number],
  positions: Value,
  inputs: ForwardInputs,
  weights: GraphWeights,
  layer: number,
  config: ModelConfig,
): Attended {
  const { heads: h, kvHeads: kv, headDim } = config;
  const all = qkv.reshape([...size, h + 2 * kv, headDim]).transpose([0, 2, 1, 3]);
  const rotate = (x: Value) => x.rotary(positions, inputs.cos, inputs.sin);
  const qNorm = weights.find(`${layer}.q_norm`), kNorm = weights.find(`${layer}.k_norm`);
  if (qNorm && kNorm) {
    const [q, k, v] = all.split(1, [h, kv, kv]);
    return {
      q: rotate(q!.rmsNorm(qNorm, config.normEpsilon)),
      k: rotate(k!.rmsNorm(kNorm, config.normEpsilon)),
      v: v!,
    };
  }
  const [qk, v] = all.split(1, [h + kv, kv]);
  const [q, k] = rotate(qk!).split(1, [h, kv]);
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
  const embed = weights.get("embed"), at = places(inputs, shape, embed.dtype);
  const attention = (qkv: Value, x: Value, layer: number) => {
    const last = layer === config.layers - 1;
    const [promptRows, completionRows] = qkv.split(0, [p * tp, b * tq]);
    const own = heads(completionRows!, [b, tq], at.completionPositions, inputs, weights, layer, config);
    const shared = heads(promptRows!, [p, tp], at.promptPositions, inputs, weights, layer, config);
    const promptQuery = last ? shared.q.slice([tp - 1], [tp], [2]) : shared.q;
    const y = attend(promptQuery, shared.k, shared.v, last ? at.lastPromptBias : at.promptBias).concat([
      attend(
        own.q,
        perCompletion(shared.k, g).concat([own.k], 2),
        perCompletion(shared.v, g).concat([own.v], 2),
        at.completionBias,
      ),
    ], 0);
    if (!last || tp === 1) return { y, x };
    const [promptX, completionX] = x.split(0, [p * tp, b * tq]);
    return { y, x: promptX!.reshape([p, tp, d]).slice([tp - 1], [tp], [1]).reshape([p, d]).concat([completionX!], 0) };
  };
  const embedded = embed.gather(inputs.prompts.reshape([p * tp]).concat([inputIds], 0));
  const hidden = layers(embedded, weights, config, { attention, inference: false });
  const [first, rest] = hidden.split(0, [p, b * tq]);
  const predicting = first!.reshape([p, 1, 1, d]).expand([p, g, 1, d]).concat([rest!.reshape([p, g, tq, d])], 2);
  return predicting.reshape([b * tc, d]);
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
