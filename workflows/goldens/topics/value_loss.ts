/** The losses of a critic of verl and OpenRLHF against that of `update_critic`. @module */
import { type Aggregation, type AggregationTotals, tokenCoefficients } from "../../../gpu/losses/aggregations.ts";
import { value } from "../../../gpu/losses/value.ts";
import type { Nested } from "../run_graph.ts";
import { defineTopic } from "../topic.ts";

type Matrix = readonly (readonly number[])[];
/** verl has an aggregation and counts of all its processes; OpenRLHF the mean over tokens or over rows. */
interface Params {
  readonly loss_agg_mode?: string;
  readonly cliprange_value?: number;
  readonly dp_size?: number;
  readonly batch_num_tokens?: number;
  readonly global_batch_size?: number;
  readonly loss_scale_factor?: number | null;
  readonly clip_eps?: number | null;
  readonly token_level_loss?: boolean;
}
interface Inputs {
  readonly values: Matrix;
  readonly old_values: Matrix;
  readonly returns: Matrix;
  readonly completion_mask: Matrix;
}

/** verl's `loss_agg_mode` as ours. */
const AGGREGATION: ReadonlyMap<string, Aggregation> = new Map([
  ["token-mean", "token_mean"],
  ["token-sum", "token_sum"],
  ["seq-mean-token-sum", "sequence_sum"],
  ["seq-mean-token-mean", "sequence_mean"],
  ["seq-mean-token-sum-norm", "sequence_sum_norm"],
]);

function aggregationOf({ loss_agg_mode: mode, token_level_loss: perToken }: Params): Aggregation {
  if (mode === undefined) return perToken ?? true ? "token_mean" : "sequence_mean";
  const aggregation = AGGREGATION.get(mode);
  if (aggregation) return aggregation;
  throw new RangeError(`Cannot evaluate the value loss: aggregation "${mode}" is not one of verl's`);
}

/** Weights per token [B, T]; rows without a token are left out of the count. */
function weightsOf(params: Params, mask: Matrix): Matrix {
  const width = mask[0]!.length, lengths = mask.map((row) => row.reduce((a, b) => a + b, 0));
  const totals: Partial<AggregationTotals> = {
    tokens: params.batch_num_tokens ?? lengths.reduce((a, b) => a + b, 0),
    sequences: params.global_batch_size ?? lengths.filter((length) => length > 0).length,
    norm: params.loss_scale_factor ?? width,
    scale: params.dp_size ?? 1, // verl averages gradients over processes
  };
  const weights = tokenCoefficients(aggregationOf(params), mask.flat(), width, totals);
  return mask.map((_, row) => Array.from(weights.slice(row * width, (row + 1) * width)));
}

export const valueLoss = defineTopic<Params, Inputs>({
  about: "verl core_algos.compute_value_loss, OpenRLHF loss.ValueLoss (gpu/losses/value.ts, aggregations.ts)",
  takes: {
    verl_value_loss_gae: ({ name }) => name.startsWith("value_loss/"),
    openrlhf: ({ name }) => name.startsWith("value_loss/"),
  },
  graph: true,
  async evaluate({ params, inputs }, { dtype, graphs }) {
    const { values, old_values, returns, completion_mask: mask } = inputs;
    const tokens = mask.flat().reduce((a, b) => a + b, 0);
    const loss = { objective: "value", clip: params.cliprange_value ?? params.clip_eps ?? null } as const;
    const { value_clip_fraction, ...outputs } = await graphs.run({
      dtype,
      inputs: { values, old_values, returns, mask, weights: weightsOf(params, mask) } satisfies Record<string, Nested>,
      build(input) {
        const on = input("mask"), now = input("values");
        const terms = value.graph(loss, { values: now, logprobs: now, mask: on, input, statistic: input });
        const { value_clip_fraction: clipped = now.mul(0) } = terms.metrics;
        return {
          loss: terms.loss.mul(input("weights")).sum(),
          value_clip_fraction: clipped.mul(on).sum().div(Math.max(tokens, 1)),
        };
      },
      gradients: { of: "loss", by: ["values"] },
    });
    return { ...outputs, clip_fraction: value_clip_fraction };
  },
});
