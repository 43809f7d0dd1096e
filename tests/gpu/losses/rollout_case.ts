/** Evaluates an objective of rollouts on numbers written by hand, in float64. */
import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { objectiveOf } from "../../../gpu/losses/mod.ts";
import type { Loss } from "../../../gpu/losses/mod.ts";
import type { RolloutLoss } from "../../../gpu/losses/objective.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { doubles, runGraph } from "../run_graph.ts";

type Matrix = readonly (readonly number[])[];

export interface RolloutCase {
  readonly logprobs: Matrix;
  /** Rows [B][T] or [B][1] of what the loss reads besides; `completion_mask` is all ones where absent. */
  readonly inputs: Readonly<Record<string, Matrix>>;
}

/** Loss per token, gradient of its sum by the log-probs, and metrics as they come: flat lists. */
export async function evaluateRollout<Settings extends RolloutLoss>(
  loss: Settings,
  { logprobs, inputs: given }: RolloutCase,
): Promise<{ loss: number[]; gradient: number[]; metrics: Record<string, number[]> }> {
  const settings = loss as unknown as Loss, shapeOf = (rows: Matrix) => [rows.length, rows[0]!.length];
  const all = { completion_mask: logprobs.map((row) => row.map(() => 1)), ...given };
  const graph = new Graph(), shape = shapeOf(logprobs), x = graph.input("x", { dtype: "float64", shape });
  const read = new Map(
    Object.entries(all).map(([name, rows]) => [name, graph.input(name, { dtype: "float64", shape: shapeOf(rows) })]),
  );
  const input = (name: string) => read.get(name) ?? assert.fail(`no input ${name}`);
  const tokens = { logprobs: x, mask: input("completion_mask"), input, statistic: input };
  const terms = objectiveOf(settings).graph(settings, tokens);
  const whole = terms.loss.add(x.mul(0));
  const outputs = { loss: whole, gradient: gradients(whole.sum(), [x])[0]!, ...terms.metrics };
  const sizes = Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => {
      graph.output(`${name}.out`, value.mul(1));
      return [`${name}.out`, value.dims];
    }),
  );
  const fed = [["x", logprobs] as const, ...Object.entries(all)].map(([name, rows]) =>
    [name, doubles(shapeOf(rows), rows.flat())] as const
  );
  const got = await runGraph(graph, Object.fromEntries(fed), sizes);
  const metrics = Object.keys(terms.metrics).map((name) => [name, got[`${name}.out`]!]);
  return { loss: got["loss.out"]!, gradient: got["gradient.out"]!, metrics: Object.fromEntries(metrics) };
}

export function near(values: readonly number[], want: readonly number[], what = "value"): void {
  assert.equal(values.length, want.length, what);
  values.forEach((value, i) =>
    assert(Math.abs(value - want[i]!) <= 1e-10 * (1 + Math.abs(want[i]!)), `${what} ${i}: ${value}, want ${want[i]}`)
  );
}
