/** The graphs that read and train a policy on one batch: log-probabilities alone, or loss and gradients. @module */
import { gradients } from "../autodiff/gradients.ts";
import { type Loss, objectiveOf } from "../losses/mod.ts";
import { type PolicyTokens, type StatisticName, type Unit, unitShape } from "../losses/objective.ts";
import { Graph, type Value } from "../onnx/graph.ts";
import { type BatchShape, forward, forwardInputs, forwardValues } from "../models/forward.ts";
import type { GraphOptions } from "../models/model.ts";
import { GraphWeights } from "../weights/graph_weights.ts";
import type { PackedParameter } from "../weights/layout.ts";
import { type HeadTokens, lossTerms, statisticsOf } from "./loss_terms.ts";

export interface TrainGraphOptions extends GraphOptions {
  readonly shape: BatchShape;
  /** Rows of the rotary tables. */
  readonly positions: number;
  /** Logits are divided by it before log-probs are taken. */
  readonly temperature: number;
  /** The backward pass computes each layer again from what it reads, instead of keeping what it computes. */
  readonly recompute?: boolean;
  /** Bytes of logits at once; HEAD_BYTES where absent. */
  readonly headBytes?: number;
}

/** Names of a gradient's input (what is there) and output (what is there afterwards). */
export function gradientNames(packed: string): { before: string; after: string } {
  return { before: `gradient.before.${packed}`, after: `gradient.${packed}` };
}

/**
 * Inputs: those of `forwardInputs` and the weights. Outputs: logprobs, float32 [B, Tc], nats, and each of `statistics` in
 * the same shape; the entropy too, which reads the whole vocabulary again.
 */
export function logprobsGraph(options: TrainGraphOptions, statistics: readonly StatisticName[] = []): Graph {
  const { config, shape, positions } = options;
  const graph = new Graph(options), weights = new GraphWeights(graph, options);
  const inputs = forwardInputs(graph, shape, config, positions);
  const { logprobs, statistic } = forward(inputs, weights, shape, config, { ...options, statistics });
  graph.output("logprobs", logprobs);
  for (const name of statistics) graph.output(`statistic.${name}`, statistic(name));
  return graph;
}

/** The same of a model with a scalar head. Output: values float32 [B, Tc], the value before each completion token. */
export function valuesGraph(options: TrainGraphOptions): Graph {
  const { config, shape, positions } = options;
  const graph = new Graph(options), weights = new GraphWeights(graph, options);
  graph.output("values", forwardValues(forwardInputs(graph, shape, config, positions), weights, shape, config));
  return graph;
}

function headTokens(
  inputs: Parameters<typeof forward>[0],
  weights: GraphWeights,
  options: TrainGraphOptions & { readonly statistics: readonly StatisticName[] },
  more: Pick<PolicyTokens, "mask" | "input">,
): HeadTokens {
  const { config, shape } = options;
  if (config.head === "lm") {
    const { entropy, ...tokens } = forward(inputs, weights, shape, config, { ...options, entropy: true });
    return { tokens: { ...tokens, ...more }, logprobs: tokens.logprobs, entropy };
  }
  const none = () => {
    throw new TypeError("Cannot read log-probs: the model has a scalar head, want a language model");
  };
  const tokens: PolicyTokens = {
    ...more,
    values: forwardValues(inputs, weights, shape, config),
    get logprobs(): Value {
      return none();
    },
    statistic: none,
  };
  return { tokens, logprobs: null, entropy: null };
}

/**
 * Inputs, besides those of `logprobsGraph`: the objective's, completion_mask [B, Tc], coefficients in the shape of the
 * objective's unit, all float32, and with `accumulate` the gradients so far. Outputs: loss float32 [1], logprobs [B, Tc]
 * of a language model, metrics, the sums (or extremes) of `reportedMetrics`, and one gradient per packed parameter in
 * `trainable`. Throws a TypeError where the objective is one of another head.
 */
export function trainGraph(
  options: TrainGraphOptions,
  loss: Loss,
  trainable: ReadonlySet<string>,
  { accumulate }: { readonly accumulate: boolean },
): Graph {
  const { config, layout, shape, positions } = options, objective = objectiveOf(loss);
  if (config.head !== (objective.head ?? "lm")) {
    throw new TypeError(
      `Cannot train on objective "${loss.objective}": the model's head is "${config.head}", want "${
        objective.head ?? "lm"
      }"`,
    );
  }
  const graph = new Graph(options), weights = new GraphWeights(graph, options, { dropout: true });
  const sizes = [shape.prompts * shape.group, shape.completionTokens] as const;
  const read = (name: string, unit: Unit) => graph.input(name, { dtype: "float32", shape: unitShape(unit, ...sizes) });
  const inputs = forwardInputs(graph, shape, config, positions);
  const asked = { ...options, statistics: config.head === "lm" ? statisticsOf(loss, ...sizes) : [] };
  const { total, metrics, logprobs } = lossTerms(loss, read, (more) => headTokens(inputs, weights, asked, more));
  writeGradients(graph, total, layout.packed.filter(({ name }) => trainable.has(name)), weights, accumulate);
  graph.output("metrics", metrics());
  if (logprobs) graph.output("logprobs", logprobs);
  graph.output("loss", total.reshape([1]));
  return graph;
}

function writeGradients(
  graph: Graph,
  loss: Value,
  parameters: readonly PackedParameter[],
  weights: GraphWeights,
  accumulate: boolean,
): void {
  const derivatives = gradients(loss, parameters.map(({ name }) => weights.stored(name)));
  for (const [i, { name, shape }] of parameters.entries()) {
    const names = gradientNames(name), gradient = derivatives[i]!;
    const before = accumulate ? graph.input(names.before, { dtype: "float32", shape }) : null;
    graph.output(names.after, before ? before.add(gradient) : gradient);
  }
}
