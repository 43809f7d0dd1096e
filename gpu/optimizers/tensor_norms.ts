/** Sums for the table `gradients`: squares of gradient, last update and value, and how many are not finite. @module */
import { Graph, type Provider, type Value } from "../onnx/graph.ts";
import { hyper, type UpdateRule } from "./adamw.ts";

/** Sums that the graph yields, in this order. */
export const NORM_SUMS = 4;

/**
 * Of a part of a parameter: inputs g, w, m, v float32 [N], hyper [8] of the update that was just made, and of
 * `sgd_nesterov` its control [2]. Output: sums float32 [4], the squares of gradient, change and value added up, and how many
 * of gradient and value are not finite. The update is recomputed from the moments, so nothing need be kept before it.
 */
export function tensorNormsGraph(provider: Provider, rule: UpdateRule = "adamw"): Graph {
  const graph = new Graph({ provider }), h = hyper(graph, "hyper");
  const factor = rule === "sgd_nesterov"
    ? graph.input("control", { dtype: "float32", shape: [2] }).slice([0], [1], [0])
    : null;
  const read = (name: string) => graph.input(name, { dtype: "float32", shape: ["N"] });
  const [g, w, m, v] = [read("g"), read("w"), read("m"), read("v")];
  const bad = (x: Value) => x.isNaN().or(x.isInf()).cast("float32").sum();
  const change = changeOf(rule, { w, m, v, g, factor }, h);
  const [first, ...rest] = [g, change, w].map((x) => x.reduceSumSquare()).concat(bad(g).add(bad(w)));
  const row = (x: Value) => x.reshape([1]);
  graph.output("sums", row(first!).concat(rest.map(row), 0));
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
