/**
 * What training and decoding graphs share: the layers, but for their attention, and what turns hidden states into
 * log-probs. Another MLP, norm or order of the residual stream is written here alone.
 * @module
 */
import type { Value } from "../onnx/graph.ts";
import type { StatisticName } from "../losses/objective.ts";
import type { GraphWeights } from "../weights/graph_weights.ts";
import type { ModelConfig } from "./config.ts";

/** x [.., in] · wᵀ (+ bias) for rows [N, in] or sequences [B, T, in]; w [out, in] as Hugging Face stores it. */
export function linear(x: Value, w: Value, bias: Value | null = null, alpha = 1): Value {
  if (x.rank === 2) return x.gemm(w, bias, { transposeB: true, alpha });
  const y = x.matmul(w, { transposeB: true, alpha });
  return bias ? y.add(bias) : y;
}

/** The same by parameters of a model, with what its adapter adds. */
function project(x: Value, weights: GraphWeights, name: string, bias: Value | null = null, alpha = 1): Value {
  return weights.adapted(name, x, linear(x, weights.get(name), bias, alpha), alpha);
}

/** SwiGLU: x [.., D] to [.., D]. Two products, because splitting the output of one costs more than it saves. */
function mlp(x: Value, weights: GraphWeights, layer: number): Value {
  const gate = project(x, weights, `${layer}.gate`).silu(), up = project(x, weights, `${layer}.up`);
  return project(gate.mul(up), weights, `${layer}.down`);
}

/** What differs between graphs: attention, and whether they need derivatives. */
interface LayersOptions {
  /** Heads [.., H·headDim] of one layer's qkv [.., (H+2K)·headDim]; what goes on of the residual stream x [.., D]. */
  readonly attention: (qkv: Value, x: Value, layer: number) => { readonly y: Value; readonly x: Value };
  /** Adds and normalizes in one op, which has no derivative. */
  readonly inference: boolean;
}

/** All layers over embedded tokens x [.., D]: pre-norm attention, then MLP. Returns normalized hidden states [.., D]. */
export function layers(x: Value, weights: GraphWeights, config: ModelConfig, options: LayersOptions): Value {
  const { layers: count, normEpsilon } = config;
  let h = x.rmsNorm(weights.get("0.norm1"), normEpsilon);
  const add = (branch: Value, norm: string) => {
    if (options.inference) [h, x] = branch.skipRmsNorm(x, weights.get(norm), normEpsilon);
    else h = (x = x.add(branch)).rmsNorm(weights.get(norm), normEpsilon);
  };
  for (let layer = 0; layer < count; layer++) {
    const from = x.graph.nodes.length;
    const qkv = project(h, weights, `${layer}.qkv`, weights.find(`${layer}.qkv_bias`));
    const attended = options.attention(qkv, x, layer);
    x = attended.x;
    add(project(attended.y, weights, `${layer}.o`), `${layer}.norm2`);
    add(mlp(h, weights, layer), layer + 1 < count ? `${layer + 1}.norm1` : "norm");
    if (x.graph.recomputesLayers) x.graph.recompute(from);
  }
  return h;
}

/** Logits [N, V] of hidden states [N, D] that are already normalized; divided by `temperature`. */
export function logits(hidden: Value, weights: GraphWeights, config: ModelConfig, temperature = 1): Value {
  return project(hidden, weights, config.tiedEmbeddings ? "embed" : "head", null, 1 / temperature);
}

/** Values [N] of hidden states [N, D] that are already normalized: one number per token, in units of the reward. */
export function scalarValues(hidden: Value, weights: GraphWeights): Value {
  return project(hidden, weights, "score").reshape([hidden.dims[0]!]);
}

/**
 * logits    float [N, V]
 * ids       int64 [N]
 * returns   logprobs float [N], nats; entropy float [N], nats, through which no gradient flows; statistic, float [N] with
 *           gradient: emits the ops of one when it is first asked for
 */
export function tokenLogprobs(
  logits: Value,
  ids: Value,
): { logprobs: Value; entropy: Value; statistic: (name: StatisticName) => Value } {
  const [logprobs, all] = logits.tokenLogprobs(ids);
  // Stopped at its end: the gradient of the log-probs takes the same exponentials.
  const entropy = all.exp().mul(all).sum([1], false).neg().stopGradient();
  const built = new Map<StatisticName, Value>();
  let differentiable: Value | null = null;
  const distribution = () => differentiable ??= logits.logSoftmax();
  const statistic = (name: StatisticName) => {
    const value = built.get(name) ?? STATISTICS[name]({ logits, ids, distribution });
    built.set(name, value);
    return value;
  };
  return { logprobs, entropy, statistic };
}

interface Predictions {
  readonly logits: Value;
  readonly ids: Value;
  /** log p of the whole vocabulary, float [N, V], through which gradients flow (not so of `tokenLogprobs`). */
  readonly distribution: () => Value;
}

/** The numbers of `PolicyTokens.statistic`, float [N]. */
const STATISTICS: Record<StatisticName, (of: Predictions) => Value> = {
  entropy: ({ distribution }) => distribution().exp().mul(distribution()).sum([1], false).neg(),
  log_sum_squares: ({ distribution }) => distribution().mul(2).exp().sum([1], false).log(),
  top1: ({ logits, ids }) => logits.argMax(1).equal(ids).cast(logits.dtype),
  mean_logit: ({ logits }) => logits.mean([1], false),
};
