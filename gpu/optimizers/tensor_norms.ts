/** One row per parameter for the table `gradients`: norms of gradient, last update and value, non-finite count. @module */
import type { Parameter } from "../weights/layout.ts";
import { Graph, type Provider, type Value } from "../onnx/graph.ts";
import { hyper, type UpdateRule } from "./adamw.ts";

/** The columns of the output, in order. */
export const NORM_COLUMNS = ["grad_norm", "update_norm", "parameter_norm", "non_finite"] as const;

/** Names of a parameter's inputs: gradient, value, first and second moment, float32 [size] each. */
export function normInputs(index: number): { g: string; w: string; m: string; v: string } {
  return { g: `g.${index}`, w: `w.${index}`, m: `m.${index}`, v: `v.${index}` };
}

/**
 * Inputs: `normInputs` of every parameter, matrix_hyper and vector_hyper [8] of the update that was just made, and of
 * `sgd_nesterov` its control [2].
 * Output: norms float32 [n, 4]. The update is recomputed from the moments, so nothing need be kept before it.
 */
export function tensorNormsGraph(
  parameters: readonly Parameter[],
  provider: Provider,
  rule: UpdateRule = "adamw",
): Graph {
  const graph = new Graph({ provider });
  const byRank = { 2: hyper(graph, "matrix_hyper"), 1: hyper(graph, "vector_hyper") };
  const factor = rule === "sgd_nesterov"
    ? graph.input("control", { dtype: "float32", shape: [2] }).slice([0], [1], [0])
    : null;
  const rows = parameters.map(({ size, shape }, i) => {
    const names = normInputs(i);
    const read = (name: string) => graph.input(name, { dtype: "float32", shape: [size] });
    const [g, w, m, v] = [read(names.g), read(names.w), read(names.m), read(names.v)];
    const h = byRank[shape.length === 2 ? 2 : 1];
    const change = changeOf(rule, { w, m, v, g, factor }, h);
    const bad = (x: Value) => x.isNaN().or(x.isInf()).cast("float32").sum();
    const norm = (x: Value) => x.reduceSumSquare().sqrt();
    const [first, ...rest] = [norm(g), norm(change), norm(w), bad(g).add(bad(w))].map((x) => x.reshape([1, 1]));
    return first!.concat(rest, 1);
  });
  graph.output("norms", rows[0]!.concat(rows.slice(1), 0));
  return graph;
}

interface Updated {
  readonly w: Value;
  readonly m: Value;
  readonly v: Value;
  readonly g: Value;
  /** The clip factor, where the rule needs the gradient itself. */
  readonly factor: Value | null;
}

/** What a rule added to the weights, from what is there after it. */
function changeOf(rule: UpdateRule, { w, m, v, g, factor }: Updated, h: ReturnType<typeof hyper>): Value {
  if (rule === "sgd") return m.mul(h.step).neg();
  if (rule === "sgd_nesterov") {
    // w = before - step · (g + decay · before + momentum · m), solved for before
    const known = g.mul(factor!).add(m.mul(h.beta1)).mul(h.step);
    return w.sub(w.add(known).div(h.step.mul(h.decay).neg().add(1)));
  }
  const moved = m.div(v.sqrt().add(h.epsilon)).mul(h.step);
  if (rule === "adam") return moved.neg();
  // w = before · (1 + decay) - moved, so the change w - before is (w · decay - moved) / (1 + decay)
  return w.mul(h.decay).sub(moved).div(h.decay.add(1));
}
