/** The pieces that training and decoding graphs share: projections, MLP, token log-probs. @module */
import type { Value } from "../onnx/graph.ts";
import type { GraphWeights } from "../weights/graph_weights.ts";
import type { ModelConfig } from "./config.ts";

/** x [N, in] · wᵀ (+ bias), w [out, in] as Hugging Face stores it. */
export function linear(x: Value, w: Value, bias: Value | null = null, alpha = 1): Value {
  return x.gemm(w, bias, { transposeB: true, alpha });
}

/** SwiGLU: x [N, D] to [N, D]. Two products, because splitting the output of one costs more than it saves. */
export function mlp(x: Value, weights: GraphWeights, layer: number): Value {
  const gate = linear(x, weights.get(`${layer}.gate`)).silu(), up = linear(x, weights.get(`${layer}.up`));
  return linear(gate.mul(up), weights.get(`${layer}.down`));
}

/** Logits [N, V] of hidden states [N, D] that are already normalized; divided by `temperature`. */
export function logits(hidden: Value, weights: GraphWeights, config: ModelConfig, temperature = 1): Value {
  return linear(hidden, weights.get(config.tiedEmbeddings ? "embed" : "head"), null, 1 / temperature);
}

/**
 * logits    float [N, V]
 * ids       int64 [N]
 * returns   logprobs float [N], nats; entropy float [N], nats, through which no gradient flows
 */
export function tokenLogprobs(logits: Value, ids: Value): { logprobs: Value; entropy: Value } {
  const [logprobs, all] = logits.tokenLogprobs(ids), frozen = all.stopGradient();
  return { logprobs, entropy: frozen.exp().mul(frozen).sum([1], false).neg() };
}
