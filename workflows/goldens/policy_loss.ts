/** Evaluates a loss of `apply_update` on the numbers of a golden: options, graph and weights are those of the step. @module */
import type { Loss } from "../../gpu/losses/mod.ts";
import { addMetrics, lossTerms, metricsOf } from "../../gpu/training/loss_terms.ts";
import { inputRows } from "../../gpu/training/train_batch.ts";
import { tieOrder } from "../../gpu/losses/tie_order.ts";
import type { AggregationTotals } from "../../gpu/losses/aggregations.ts";
import { lossForm, lossOf, type LossOptions, lossOptions } from "../../steps/training/loss_form.ts";
import { topEntropyMask } from "../../steps/training/top_entropy.ts";
import type { Nested } from "./run_graph.ts";
import type { Tools } from "./topic.ts";

export type Matrix = readonly (readonly number[])[];

/** What a golden of a policy loss gives: rows of one length, padded with anything. */
export interface PolicyInputs {
  readonly logprobs: Matrix;
  /** Null: the policy's own. */
  readonly old_logprobs: Matrix | null;
  readonly completion_mask: Matrix;
  readonly advantages: readonly number[] | Matrix;
  readonly ref_logprobs?: Matrix;
  readonly entropies?: Matrix;
}

/** Without what is not set. */
export function withoutUndefined(values: Readonly<Record<string, unknown>>): Record<string, never> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<string, never>;
}

export interface PolicyRequest {
  /** As a workflow writes them in `with` of `apply_update`. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly inputs: PolicyInputs;
  /** What the whole update counts, where the case is a part of it. */
  readonly totals?: Partial<AggregationTotals>;
  /** Terms that other steps decide, such as weights of the sampler. */
  readonly shared?: Partial<ReturnType<typeof lossForm>["shared"]>;
  /** Their inputs by name. */
  readonly given?: Readonly<Record<string, Matrix>>;
}

/** Loss, gradients, and metrics under our names. */
export interface PolicyOutputs {
  readonly loss: number;
  readonly grad_logprobs: Nested;
  readonly grad_entropies?: Nested;
  readonly metrics: Readonly<Record<string, number | null>>;
}

/** Evaluates a policy loss; throws a TypeError where `apply_update` refuses the options. */
export async function policyLoss(request: PolicyRequest, { dtype, graphs }: Tools): Promise<PolicyOutputs> {
  const { inputs } = request, given = lossOptions(request.options), form = lossForm(given);
  const shared = { ...form.shared, ...request.shared };
  const loss = lossOf({ ...form, shared }, inputs.old_logprobs === null) as Loss;
  const totals = { ...request.totals, ...form.totals };
  const { inputs: rows, tokens } = inputRows(batchOf(request, given, loss), {
    loss,
    aggregation: form.aggregation,
    totals,
    temperature: 1,
  });
  const { logprobs, entropies = logprobs.map((row) => row.map(() => 0)) } = inputs;
  const fed = Object.entries(rows).map(([name, { rows }]) => [name, rows.map((row) => Array.from(row))] as const);
  const outputs = await graphs.run({
    dtype,
    inputs: { ...Object.fromEntries(fed), logprobs, entropies },
    build(input) {
      const predicted = { logprobs: input("logprobs"), entropy: input("entropies").stopGradient() };
      const { total, metrics } = lossTerms(loss, (name) => input(name), (more) => ({
        ...predicted,
        tokens: { ...more, logprobs: predicted.logprobs, statistic: () => input("entropies") },
      }));
      return { loss: total, metrics: metrics() };
    },
    gradients: { of: "loss", by: shared.entropy ? ["logprobs", "entropies"] : ["logprobs"] },
  });
  const sums: number[] = [];
  addMetrics(loss, sums, outputs["metrics"] as number[]);
  return {
    loss: outputs["loss"] as number,
    grad_logprobs: outputs["grad_logprobs"]!,
    ...(outputs["grad_entropies"] === undefined ? {} : { grad_entropies: outputs["grad_entropies"] }),
    metrics: metricsOf(loss, sums, tokens, logprobs.length),
  };
}

/** The case as the batch of an update. */
function batchOf({ inputs, given = {} }: PolicyRequest, options: LossOptions, loss: Loss) {
  const { logprobs, old_logprobs, ref_logprobs, completion_mask: mask, advantages, entropies } = inputs;
  const top = options.top_entropy_fraction, fraction = "fraction" in loss ? loss.fraction : undefined;
  return {
    prompts: [[0]],
    group: logprobs.length,
    completions: logprobs,
    completionMask: mask,
    inputs: {
      advantages,
      ...(old_logprobs ? { old_logprobs } : {}),
      ...(ref_logprobs ? { ref_logprobs } : {}),
      ...(top < 1 ? { entropy_mask: topEntropyMask(entropies ?? [], mask, top) } : {}),
      ...(fraction === undefined ? {} : { tie_order: tieOrder(mask, fraction) }),
      draws: mask.map((row, r) => row.map((_, t) => ((r * row.length + t) * 0.61803) % 1)),
      ...given,
    },
  };
}
