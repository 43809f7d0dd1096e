/**
 * What training and decoding graphs share: the layers, but for their attention, and what turns hidden states into
 * log-probs. Another MLP, norm or order of the residual stream is written here alone.
 * @module
 */
import type { Value } from "../onnx/graph.ts";
import type { StatisticName } from "../losses/objective.ts";
import type { GraphWeights } from "../weights/graph_weights.ts";
import type { ModelConfig } from "./config.ts";
import type { Activation } from "./features.ts";

/** alpha · (x · wᵀ + bias) by parameters of a model, rows [N, in] or sequences [B, T, in], with what its adapter adds. */
export function project(x: Value, weights: GraphWeights, name: string, alpha = 1): Value {
  return weights.adapted(name, x, weights.product(name, x, alpha), alpha);
}

/** What turns the gate's product into a factor. */
const ACTIVATE: Record<Activation, (x: Value) => Value> = {
  silu: (x) => x.silu(),
  gelu_tanh: (x) => x.geluTanh(),
};

/**
 * Gated MLP, x [.., D] to [.., D], times `residualScale`. Two products for gate and up, because splitting the output of one
 * costs more than it saves; one where a checkpoint holds them as one matrix (transformers models/phi3 `Phi3MLP`).
 */
function mlp(x: Value, weights: GraphWeights, layer: number, config: ModelConfig): Value {
  const { intermediateSize: f, activation, packedProjections, residualScale } = config;
  const [gate, up] = packedProjections
    ? project(x, weights, `${layer}.gate_up`).split(-1, [f, f])
    : [project(x, weights, `${layer}.gate`), project(x, weights, `${layer}.up`)];
  return project(ACTIVATE[activation](gate!).mul(up!), weights, `${layer}.down`, residualScale);
}

/** RMSNorm over the last axis by a norm of the model, whose weights some families store less 1 (`Gemma2RMSNorm`). */
export function normalize(x: Value, weights: GraphWeights, name: string, config: ModelConfig): Value {
  return x.rmsNorm(normWeight(weights, name, config), config.normEpsilon);
}

function normWeight(weights: GraphWeights, name: string, { normOffset }: ModelConfig): Value {
  return normOffset === 0 ? weights.get(name) : weights.get(name).add(normOffset);
}

/** cap · tanh(x / cap) of `scaled`, x / cap, whose division belongs into the product before (transformers models/gemma2). */
export function softcap(scaled: Value, cap: number): Value {
  return scaled.tanh().mul(cap);
}

/** Embeddings of int64 ids, one more axis of D (`Gemma2TextScaledWordEmbedding`, `GraniteModel.forward`). */
export function embed(ids: Value, weights: GraphWeights, { embeddingScale }: ModelConfig): Value {
  const rows = weights.rows("embed", ids);
  return embeddingScale === 1 ? rows : rows.mul(embeddingScale);
}

/** What differs between graphs: attention, and whether they need derivatives. */
interface LayersOptions {
  /** Heads [.., H·headDim] of one layer's qkv [.., (H+2K)·headDim]; what goes on of the residual stream x [.., D]. */
  readonly attention: (qkv: Value, x: Value, layer: number) => { readonly y: Value; readonly x: Value };
  /** Adds and normalizes in one op, which has no derivative. */
  readonly inference: boolean;
}

/**
 * All layers over embedded tokens x [.., D]: attention, then MLP, each with norms before it (Llama), after it (OLMo 2) or
 * both (Gemma). Returns normalized hidden states [.., D].
 */
export function layers(x: Value, weights: GraphWeights, config: ModelConfig, options: LayersOptions): Value {
  const { layers: count, normEpsilon, norms } = config, before = norms !== "after", after = norms !== "before";
  let h = before ? normalize(x, weights, "0.norm1", config) : x;
  /** x plus a branch; h is what the norm `next` makes of it. */
  const add = (branch: Value, post: string, next: string | null) => {
    const added = after ? normalize(branch, weights, post, config) : branch;
    if (next === null) h = x = x.add(added);
    else if (options.inference) [h, x] = added.skipRmsNorm(x, normWeight(weights, next, config), normEpsilon);
    else h = normalize(x = x.add(added), weights, next, config);
  };
  for (let layer = 0; layer < count; layer++) {
    const from = x.graph.nodes.length, last = layer + 1 === count;
    const attended = options.attention(project(h, weights, `${layer}.qkv`), x, layer);
    x = attended.x;
    const output = project(attended.y, weights, `${layer}.o`, config.residualScale);
    add(output, `${layer}.post1`, before ? `${layer}.norm2` : null);
    const next = before ? `${layer + 1}.norm1` : null;
    add(mlp(h, weights, layer, config), `${layer}.post2`, last ? "norm" : next);
    if (x.graph.recomputesLayers) x.graph.recompute(from);
  }
  return h;
}

/** Added to the logits of tokens that a model never gives: their probability is 0 in float32. */
const SILENT = -1e9;

/** Logits [N, V] of hidden states [N, D] that are already normalized; divided by `temperature`. */
export function logits(hidden: Value, weights: GraphWeights, config: ModelConfig, temperature = 1): Value {
  const { silentTokens, vocabSize } = config, all = allLogits(hidden, weights, config, temperature);
  if (silentTokens.length === 0) return all;
  const mask = new Float32Array(vocabSize);
  for (const id of silentTokens) mask[id] = SILENT;
  return all.add(all.graph.constant(mask, [vocabSize]).cast(all.dtype));
}

function allLogits(hidden: Value, weights: GraphWeights, config: ModelConfig, temperature: number): Value {
  const { logitsDivisor, logitsSoftcap: cap } = config, head = config.tiedEmbeddings ? "embed" : "head";
  if (cap === null) return project(hidden, weights, head, 1 / (logitsDivisor * temperature));
  return softcap(project(hidden, weights, head, 1 / (logitsDivisor * cap)), cap / temperature);
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
  mean_logit: ({ logits }) => logits.less(SILENT / 2).where(0, logits).mean([1], false),
};
