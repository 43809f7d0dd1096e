/** The graphs that read and train a policy on one batch: log-probabilities alone, or loss and gradients. @module */
import { gradients } from "../autodiff/gradients.ts";
import { type Loss, lossInputs, tokenLosses } from "../losses/objectives.ts";
import { Graph, type Provider, type Value } from "../onnx/graph.ts";
import { GraphWeights } from "../models/blocks.ts";
import type { ModelConfig } from "../models/config.ts";
import { type BatchShape, forward, forwardInputs } from "../models/forward.ts";
import type { Layout } from "../weights/layout.ts";

export interface TrainGraphOptions {
  readonly config: ModelConfig;
  readonly layout: Layout;
  readonly shape: BatchShape;
  /** Rows of the rotary tables. */
  readonly positions: number;
  readonly provider: Provider;
  /** Logits are divided by it before log-probs are taken. */
  readonly temperature: number;
}

/**
 * The sums that a train graph reports in its output `metrics`, in this order, over tokens with mask 1; the first two over
 * completions where there is one ratio per completion.
 */
export const METRIC_SUMS = ["clipped", "ratio", "kl", "entropy"] as const;

/** Names of a gradient's input (what is there) and output (what is there afterwards). */
export function gradientNames(packed: string): { before: string; after: string } {
  return { before: `gradient.before.${packed}`, after: `gradient.${packed}` };
}

/**
 * Inputs: those of `forwardInputs` and the weights. Outputs: logprobs and entropy, float32 [B, Tc], nats.
 */
export function logprobsGraph({ config, layout, shape, positions, provider, temperature }: TrainGraphOptions): Graph {
  const graph = new Graph({ provider });
  const weights = new GraphWeights(graph, layout);
  const inputs = forwardInputs(graph, shape, config, positions);
  const { logprobs, entropy } = forward(inputs, weights, shape, config, temperature);
  graph.output("logprobs", logprobs);
  graph.output("entropy", entropy);
  return graph;
}

/**
 * Inputs, besides those of `logprobsGraph`: coefficients and completion_mask, float32 [B, Tc], `lossInputs(loss)`, and
 * with `accumulate` the gradients so far. Outputs: loss float32 [1], logprobs [B, Tc], metrics [4] (`METRIC_SUMS`) and
 * one gradient per packed parameter in `trainable`.
 */
export function trainGraph(
  options: TrainGraphOptions,
  loss: Loss,
  trainable: ReadonlySet<string>,
  { accumulate }: { readonly accumulate: boolean },
): Graph {
  const { config, layout, shape, positions, provider, temperature } = options;
  const graph = new Graph({ provider });
  const weights = new GraphWeights(graph, layout);
  const batch = [shape.prompts * shape.group, shape.completionTokens];
  const perToken = (name: string) => graph.input(name, { dtype: "float32", shape: batch });
  const { logprobs, entropy } = forward(
    forwardInputs(graph, shape, config, positions),
    weights,
    shape,
    config,
    temperature,
  );
  const coefficients = perToken("coefficients"), mask = perToken("completion_mask");
  const read = new Map(lossInputs(loss).map((name) => [name as string, perToken(name)]));
  const tokens = tokenLosses(loss, logprobs, mask, (name) => read.get(name)!);
  const total = tokens.loss.mul(coefficients).sum();
  const wrt = layout.packed.filter(({ name }) => trainable.has(name));
  const derivatives = gradients(total, wrt.map(({ name }) => weights.get(name)));
  for (const [i, { name, shape }] of wrt.entries()) {
    const names = gradientNames(name), gradient = derivatives[i]!;
    graph.output(
      names.after,
      accumulate ? graph.input(names.before, { dtype: "float32", shape }).add(gradient) : gradient,
    );
  }
  const overTokens = (value: Value) => value.mul(mask).sum();
  const overRatios = (value: Value) => (tokens.unit === "sequence" ? value.sum() : overTokens(value));
  const [first, ...rest] = [
    tokens.clipped && overRatios(tokens.clipped),
    tokens.ratio && overRatios(tokens.ratio),
    tokens.kl && overTokens(tokens.kl),
    overTokens(entropy),
  ].map((sum) => (sum ?? graph.scalar(0)).reshape([1]));
  graph.output("metrics", first!.concat(rest, 0));
  graph.output("logprobs", logprobs);
  graph.output("loss", total.reshape([1]));
  return graph;
}
