/** The graphs that read and train a policy on one batch: log-probabilities alone, or loss and gradients. @module */
import { gradients } from "../autodiff/gradients.ts";
import { type Loss, objectiveOf } from "../losses/mod.ts";
import { type Metric, type Unit, UNITS, unitShape } from "../losses/objective.ts";
import { Graph, type Value } from "../onnx/graph.ts";
import { type BatchShape, forward, forwardInputs } from "../models/forward.ts";
import type { GraphOptions } from "../models/model.ts";
import { GraphWeights } from "../weights/graph_weights.ts";
import type { PackedParameter } from "../weights/layout.ts";

export interface TrainGraphOptions extends GraphOptions {
  readonly shape: BatchShape;
  /** Rows of the rotary tables. */
  readonly positions: number;
  /** Logits are divided by it before log-probs are taken. */
  readonly temperature: number;
}

/** What a train graph of a loss reports in its output `metrics`, in this order; entropy in nats is everyone's. */
export function reportedMetrics(loss: Loss): [name: string, metric: Metric][] {
  const own = Object.entries(objectiveOf(loss).metrics).flatMap(([name, metricOf]): [string, Metric][] => {
    const metric = metricOf(loss);
    return metric === null ? [] : [[name, metric]];
  });
  return [...own, ["entropy", { over: "token" }]];
}

/** Names of a gradient's input (what is there) and output (what is there afterwards). */
export function gradientNames(packed: string): { before: string; after: string } {
  return { before: `gradient.before.${packed}`, after: `gradient.${packed}` };
}

/**
 * Inputs: those of `forwardInputs` and the weights. Outputs: logprobs and entropy, float32 [B, Tc], nats.
 */
export function logprobsGraph(options: TrainGraphOptions): Graph {
  const { config, shape, positions, temperature } = options;
  const graph = new Graph(options), weights = new GraphWeights(graph, options);
  const inputs = forwardInputs(graph, shape, config, positions);
  const { logprobs, entropy } = forward(inputs, weights, shape, config, temperature);
  graph.output("logprobs", logprobs);
  graph.output("entropy", entropy);
  return graph;
}

/**
 * Inputs, besides those of `logprobsGraph`: the objective's, completion_mask [B, Tc], coefficients in the shape of the
 * objective's unit, all float32, and with `accumulate` the gradients so far. Outputs: loss float32 [1], logprobs [B, Tc],
 * metrics, the sums (or extremes) of `reportedMetrics`, and one gradient per packed parameter in `trainable`.
 */
export function trainGraph(
  options: TrainGraphOptions,
  loss: Loss,
  trainable: ReadonlySet<string>,
  { accumulate }: { readonly accumulate: boolean },
): Graph {
  const { config, layout, shape, positions, temperature } = options, objective = objectiveOf(loss);
  const graph = new Graph(options), weights = new GraphWeights(graph, options);
  const read = (name: string, unit: Unit) =>
    graph.input(name, {
      dtype: "float32",
      shape: unitShape(unit, shape.prompts * shape.group, shape.completionTokens),
    });
  const inputs = forwardInputs(graph, shape, config, positions);
  const { logprobs, entropy, statistic } = forward(inputs, weights, shape, config, temperature);
  const coefficients = read("coefficients", objective.unit), mask = read("completion_mask", "token");
  const given = new Map(Object.entries(objective.inputs(loss)).map(([name, unit]) => [name, read(name, unit)]));
  const terms = objective.graph(loss, { logprobs, mask, input: (name) => given.get(name)!, statistic });
  const total = terms.loss.mul(coefficients).sum();
  writeGradients(graph, total, layout.packed.filter(({ name }) => trainable.has(name)), weights, accumulate);
  const values: Readonly<Record<string, Value>> = { ...terms.metrics, entropy };
  const [first, ...rest] = reportedMetrics(loss).map(([name, metric]) => reduced(values[name]!, mask, metric));
  graph.output("metrics", first!.concat(rest, 0));
  graph.output("logprobs", logprobs);
  graph.output("loss", total.reshape([1]));
  return graph;
}

/** What of a metric's numbers a pass outputs, float [1]; of numbers per token those that count. */
function reduced(value: Value, mask: Value, { over, reduce = "mean" }: Metric): Value {
  const { perToken } = UNITS[over];
  if (reduce === "mean") return (perToken ? value.mul(mask) : value).sum().reshape([1]);
  const sign = reduce === "max" ? 1 : -1, signed = sign > 0 ? value : value.neg();
  const most = (perToken ? mask.greater(0).where(signed, -Infinity) : signed).reduceMax().reshape([1]);
  return sign > 0 ? most : most.neg();
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
