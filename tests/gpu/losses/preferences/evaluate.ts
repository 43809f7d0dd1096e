/** Evaluates objectives of preferences on given log-probs, in float64, with the gradient by them. @module */
import { gradients } from "../../../../gpu/autodiff/gradients.ts";
import type { Objective } from "../../../../gpu/losses/objective.ts";
import { Graph } from "../../../../gpu/onnx/graph.ts";
import { doubles, runGraph } from "../../run_graph.ts";

type Matrix = readonly (readonly number[])[];

export interface Evaluated {
  /** Mean over the rows of the loss. */
  readonly loss: number;
  /** By log-probs, row by row. */
  readonly gradient: readonly number[];
}

/** `given` are the objective's inputs and statistics, [rows, columns] each. */
export async function evaluate<Loss>(
  objective: Objective<Loss>,
  loss: Loss,
  logprobs: Matrix,
  given: Readonly<Record<string, Matrix>>,
  mask: Matrix = logprobs.map((row) => row.map(() => 1)),
): Promise<Evaluated> {
  const graph = new Graph(), shape = (rows: Matrix) => [rows.length, rows[0]!.length];
  const all: Record<string, Matrix> = { logprobs, mask, ...given }, read = new Map<string, ReturnType<typeof input>>();
  const input = (name: string) => graph.input(name, { dtype: "float64", shape: shape(all[name]!) });
  const once = (name: string) => {
    if (!read.has(name)) read.set(name, input(name));
    return read.get(name)!;
  };
  const x = once("logprobs"), on = once("mask");
  const terms = objective.graph(loss, {
    logprobs: x,
    mask: on,
    input: once,
    statistic: (name) => all[name] ? once(name) : on.mul(0),
  });
  const total = terms.loss.mean();
  graph.output("gradient", gradients(total, [x])[0]!);
  graph.output("loss", total.reshape([1]));
  const fed = Object.fromEntries([...read.keys()].map((name) => [name, doubles(shape(all[name]!), all[name]!.flat())]));
  const got = await runGraph(graph, fed, { loss: [1], gradient: shape(logprobs) });
  return { loss: got.loss![0]!, gradient: got.gradient! };
}

/** |value − want| within 1e-9 of 1 + |want|. */
export function near(value: number, want: number, what: string): void {
  if (Math.abs(value - want) <= 1e-9 * (1 + Math.abs(want))) return;
  throw new Error(`${what}: ${value}, want ${want}`);
}
