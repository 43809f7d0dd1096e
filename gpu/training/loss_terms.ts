/** The loss of a batch and what it reports, from what a model predicts of its tokens. @module */
import { type Loss, objectiveOf } from "../losses/mod.ts";
import {
  type Metric,
  type PolicyTokens,
  type Reduction,
  rowsOf,
  type StatisticName,
  type Unit,
  UNITS,
  unitShape,
} from "../losses/objective.ts";
import { Graph, type Value } from "../onnx/graph.ts";

/** What an objective is given of a batch, and what is reported of it whatever the objective: nothing of a scalar head. */
export interface HeadTokens {
  readonly tokens: PolicyTokens;
  readonly logprobs: Value | null;
  /** float [B, T], nats, without gradient. */
  readonly entropy: Value | null;
}

/** What a train graph of a loss reports in its output `metrics`, in this order; entropy in nats is every policy's. */
export function reportedMetrics(loss: Loss): [name: string, metric: Metric][] {
  const own = Object.entries(objectiveOf(loss).metrics).flatMap(([name, metricOf]): [string, Metric][] => {
    const metric = metricOf(loss);
    return metric === null ? [] : [[name, metric]];
  });
  return objectiveOf(loss).head === "scalar" ? own : [...own, ["entropy", { over: "token" }]];
}

/**
 * The total of a loss, float [], and its metrics, float [n], which are built when called for: after the gradient.
 *
 * read     declares one of the inputs of `inputRows`
 * predict  what the model says of the batch, with what was declared
 */
export function lossTerms(
  loss: Loss,
  read: (name: string, unit: Unit) => Value,
  predict: (given: Pick<PolicyTokens, "mask" | "input">) => HeadTokens,
): { readonly total: Value; readonly metrics: () => Value; readonly logprobs: Value | null } {
  const objective = objectiveOf(loss), coefficients = read("coefficients", objective.unit);
  const mask = read("completion_mask", "token"), given = new Map([["coefficients", coefficients]]);
  for (const [name, unit] of Object.entries(objective.inputs(loss))) given.set(name, read(name, unit));
  for (const name of Object.keys(objective.weights?.(loss) ?? {})) given.set(name, read(name, "token"));
  const { tokens, logprobs, entropy } = predict({ mask, input: (name) => given.get(name)! });
  const terms = objective.graph(loss, tokens), main = terms.loss.mul(coefficients).sum();
  const metrics = () => {
    const values: Readonly<Record<string, Value>> = { ...terms.metrics, ...(entropy ? { entropy } : {}) };
    const [first, ...rest] = reportedMetrics(loss).map(([name, metric]) => reduced(values[name]!, mask, metric));
    return first!.concat(rest, 0);
  };
  return { total: terms.added ? main.add(terms.added.sum()) : main, metrics, logprobs };
}

/** The statistics that a loss reads of B completions of T tokens: it is built once upon nothing, to see what it asks for. */
export function statisticsOf(loss: Loss, completions: number, tokens: number): StatisticName[] {
  const graph = new Graph(), asked = new Set<StatisticName>();
  const read = (name: string, unit: Unit) =>
    graph.input(name, { dtype: "float32", shape: unitShape(unit, completions, tokens) });
  const logprobs = read("logprobs", "token");
  const statistic = (name: StatisticName) => {
    asked.add(name);
    return logprobs;
  };
  lossTerms(loss, read, (given) => ({ tokens: { ...given, logprobs, statistic }, logprobs: null, entropy: null }));
  return [...asked];
}

/** What of a metric's numbers a pass outputs, float [1]; of numbers per token those that count. */
function reduced(value: Value, mask: Value, { over, reduce = "mean" }: Metric): Value {
  const { perToken } = UNITS[over];
  if (reduce === "sum") return value.sum().reshape([1]);
  if (reduce === "mean") return (perToken ? value.mul(mask) : value).sum().reshape([1]);
  const sign = reduce === "max" ? 1 : -1, signed = sign > 0 ? value : value.neg();
  const most = (perToken ? mask.greater(0).where(signed, -Infinity) : signed).reduceMax().reshape([1]);
  return sign > 0 ? most : most.neg();
}

/** How two passes' numbers of a metric become one. */
const JOIN: Record<Reduction, (a: number, b: number) => number> = {
  mean: (a, b) => a + b,
  sum: (a, b) => a + b,
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
};

/** Joins the metrics of a pass to those of the passes before it. */
export function addMetrics(loss: Loss, sums: number[], added: ArrayLike<number>): void {
  for (const [i, [, { reduce = "mean" }]] of reportedMetrics(loss).entries()) {
    sums[i] = sums[i] === undefined ? added[i]! : JOIN[reduce](sums[i], added[i]!);
  }
}

/** The metrics that a train graph's sums and extremes stand for, by name; null where the loss's settings have none. */
export function metricsOf(
  loss: Loss,
  sums: readonly number[],
  tokens: number,
  completions: number,
): Readonly<Record<string, number | null>> {
  const result: Record<string, number | null> = {};
  for (const name of Object.keys(objectiveOf(loss).metrics)) result[name] = null;
  for (const [i, [name, { over, reduce = "mean", ofNothing }]] of reportedMetrics(loss).entries()) {
    const count = reduce !== "mean" ? 1 : UNITS[over].perToken ? tokens : rowsOf(over, completions);
    const isExtremeOfNothing = Math.abs(sums[i]!) === Infinity && tokens === 0 &&
      (reduce === "min" || reduce === "max");
    const value = isExtremeOfNothing ? NaN : sums[i]! / Math.max(count, 1) + 0; // never -0
    result[name] = tokens === 0 && ofNothing === null ? null : value;
  }
  return result;
}
