/** The value loss against verl's and OpenRLHF's, values and gradients, in float64 and float32. */
import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { type Aggregation, type AggregationTotals, tokenCoefficients } from "../../../gpu/losses/aggregations.ts";
import { value, type ValueLoss } from "../../../gpu/losses/value.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { doubles, floats, runGraph } from "../run_graph.ts";
import { readCases } from "../safetensors.ts";
import { VERL } from "./golden_names.ts";

type Matrix = number[][];
interface Case {
  readonly name: string;
  readonly params: Readonly<Record<string, number | string | boolean | null>>;
  readonly inputs: Readonly<Record<"values" | "old_values" | "returns" | "completion_mask", Matrix>>;
  readonly outputs: { readonly loss: number; readonly clip_fraction?: number; readonly grad_values: Matrix };
}

async function evaluate({ inputs }: Case, loss: ValueLoss, weights: ArrayLike<number>, dtype: "float64" | "float32") {
  const shape = [inputs.values.length, inputs.values[0]!.length], graph = new Graph();
  const read = (name: string) => graph.input(name, { dtype, shape }), values = read("values");
  const never = () => assert.fail("a critic has no log-probs");
  const tokens = { values, mask: read("mask"), input: read, statistic: never, logprobs: values };
  const terms = value.graph(loss, tokens), total = terms.loss.mul(read("weights")).sum();
  graph.output("gradient", gradients(total, [values])[0]!);
  graph.output("loss", total.reshape([1]));
  const clipped = "value_clip_fraction" in terms.metrics ? terms.metrics.value_clip_fraction : values.mul(0);
  graph.output("clipped", clipped!.mul(tokens.mask).sum().reshape([1]));
  graph.output("mean", terms.metrics.value_mean.mul(tokens.mask).sum().reshape([1]));
  const all: Record<string, ArrayLike<number>> = {
    values: inputs.values.flat(),
    old_values: inputs.old_values.flat(),
    returns: inputs.returns.flat(),
    mask: inputs.completion_mask.flat(),
    weights,
  };
  const names = ["values", "mask", "weights", ...Object.keys(value.inputs(loss))];
  const make = dtype === "float64" ? doubles : floats;
  const fed = Object.fromEntries(names.map((name) => [name, make(shape, Array.from(all[name]!))]));
  return await runGraph(graph, fed, { gradient: shape, loss: [1], clipped: [1], mean: [1] });
}

/** Aggregation, counts and clip of a case as verl or OpenRLHF use them; float32 weights, as training has them. */
function settingsOf({ params, inputs }: Case) {
  const rows = inputs.completion_mask, lengths = rows.map((row) => row.reduce((a, b) => a + b, 0));
  if (params.loss_agg_mode === undefined) {
    const aggregation: Aggregation = params.token_level_loss ? "token_mean" : "sequence_mean";
    const totals = { sequences: lengths.filter((length) => length > 0).length };
    return { aggregation, clip: params.clip_eps as number | null, totals, times: 1 };
  }
  const aggregation = VERL.get(String(params.loss_agg_mode))!, processes = Number(params.dp_size ?? 1);
  const totals: Partial<AggregationTotals> = {
    tokens: Number(params.batch_num_tokens ?? lengths.reduce((a, b) => a + b, 0)) / processes,
    sequences: Number(params.global_batch_size ?? lengths.filter((length) => length > 0).length) / processes,
    norm: Number(params.loss_scale_factor ?? rows[0]!.length),
  };
  // A sum has no count that processes could share: verl multiplies it, since gradients are averaged over processes.
  const times = aggregation === "token_sum" ? processes : 1;
  return { aggregation, clip: Number(params.cliprange_value), totals, times };
}

const near = (got: number, want: number, relative: number, what: string) =>
  assert(Math.abs(got - want) <= relative * Math.abs(want) + relative / 100, `${what}: ${got}, want ${want}`);

const cases: Case[] = ["verl_value_loss_gae", "openrlhf"].flatMap((file) =>
  readCases(`goldens/formulas/${file}.json`).filter(({ name }: Case) => name.startsWith("value_loss/"))
);

Deno.test(`value is verl's and OpenRLHF's value loss, gradient and clip fraction in ${cases.length} cases`, async () => {
  assert.equal(cases.length, 72);
  for (const one of cases) {
    const { aggregation, clip, totals, times } = settingsOf(one), { outputs, inputs, name } = one;
    const mask = inputs.completion_mask.flat(), tokens = mask.reduce((a, b) => a + b, 0);
    const weights = tokenCoefficients(aggregation, mask, inputs.values[0]!.length, totals).map((w) => w * times);
    for (const [dtype, tolerance] of [["float64", 1e-6], ["float32", 1e-4]] as const) {
      const result = await evaluate(one, { objective: "value", clip }, weights, dtype);
      near(result.loss![0]!, outputs.loss, tolerance, `${name} loss`);
      outputs.grad_values.flat().forEach((want, i) => near(result.gradient![i]!, want, tolerance, `${name} grad ${i}`));
      if (outputs.clip_fraction !== undefined) near(result.clipped![0]! / tokens, outputs.clip_fraction, 1e-6, name);
    }
  }
});

Deno.test("value without a clip reads no old values and reports no clip fraction", () => {
  assert.deepEqual(value.inputs({ objective: "value", clip: null }), { returns: "token" });
  assert.deepEqual(Object.keys(value.inputs({ objective: "value", clip: 0.2 })), ["returns", "old_values"]);
  assert.equal(value.metrics.value_clip_fraction({ objective: "value", clip: null }), null);
});
