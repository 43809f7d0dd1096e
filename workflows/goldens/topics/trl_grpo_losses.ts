/** TRL's losses of GRPO against the objectives of `apply_update`. @module */
import { type Aggregation, tokenCoefficients } from "../../../gpu/losses/aggregations.ts";
import { clipped, type ClippedLoss } from "../../../gpu/losses/clipped.ts";
import type { Value } from "../../../gpu/onnx/graph.ts";
import { flat, type Nested } from "../run_graph.ts";
import { defineTopic } from "../topic.ts";

type Matrix = readonly (readonly number[])[];
interface Params {
  readonly loss_type?: string;
  readonly importance_sampling_level?: "token" | "sequence";
  readonly beta?: number;
  readonly epsilon?: number;
  readonly epsilon_high?: number | null;
  readonly delta?: number | null;
  readonly use_bias_correction_kl?: boolean;
  readonly training?: boolean;
  readonly gradient_accumulation_steps?: number;
  readonly steps_per_generation?: number;
  readonly max_completion_length?: number;
}
interface Inputs {
  readonly logprobs: Matrix;
  readonly old_logprobs: Matrix | null;
  readonly ref_logprobs?: Matrix;
  readonly completion_mask: Matrix;
  readonly tool_mask?: Matrix;
  readonly advantages: readonly number[] | Matrix;
  readonly num_items_in_batch: number;
}

/** TRL's `loss_type` whose objective is the clipped one, as our aggregation. */
const AGGREGATION: ReadonlyMap<string, Aggregation> = new Map([
  ["grpo", "sequence_mean"],
  ["bnpo", "token_mean"],
  ["dr_grpo", "sequence_sum_norm"],
  ["dapo", "rollout_token_mean"],
]);

function lossOf(params: Params, onPolicy: boolean): ClippedLoss {
  const clipLow = params.epsilon ?? 0.2, coefficient = params.beta ?? 0;
  return {
    objective: "clipped",
    clipLow,
    clipHigh: params.epsilon_high ?? clipLow,
    ratioCap: params.delta ?? null,
    ratioLevel: params.importance_sampling_level ?? "token",
    onPolicy,
    kl: coefficient ? { estimator: "k3", coefficient, timesRatio: params.use_bias_correction_kl ?? false } : null,
  };
}

/** Weights per token [B, T] (TRL divides by the accumulation steps what is not already a mean over the rollout). */
function weightsOf(params: Params, { num_items_in_batch }: Inputs, mask: Matrix): Matrix {
  const lossType = params.loss_type ?? "dapo", isTraining = params.training ?? true;
  const accumulation = isTraining ? params.gradient_accumulation_steps ?? 1 : 1;
  const updates = (isTraining ? params.steps_per_generation ?? 1 : 1) / accumulation;
  const totals = { rolloutTokens: num_items_in_batch, updates, norm: params.max_completion_length ?? 16 };
  const width = mask[0]!.length;
  const weights = tokenCoefficients(AGGREGATION.get(lossType)!, mask.flat(), width, totals);
  const scale = lossType === "dapo" ? 1 : 1 / accumulation;
  return mask.map((_, row) => Array.from(weights.slice(row * width, (row + 1) * width), (weight) => weight * scale));
}

const isMatrix = (value: readonly number[] | Matrix): value is Matrix => typeof value[0] !== "number";

export const trlGrpoLosses = defineTopic<Params, Inputs>({
  about: "TRL 1.16 grpo_trainer.py _compute_loss: value, gradient and metrics (gpu/losses/clipped.ts, aggregations.ts)",
  takes: {
    trl_grpo_losses: ({ name, params }) =>
      AGGREGATION.has(String((params as Params).loss_type ?? "dapo")) && !/^(?:vllm|mask_truncated)/.test(name),
  },
  graph: true,
  async evaluate({ params, inputs }, { dtype, graphs }) {
    const loss = lossOf(params, inputs.old_logprobs === null);
    const mask = inputs.completion_mask.map((row, b) => row.map((m, t) => m * (inputs.tool_mask?.[b]?.[t] ?? 1)));
    const { advantages: given } = inputs;
    const advantages = isMatrix(given) ? given : given.map((a, row) => mask[row]!.map(() => a));
    const tokens = Math.max(flat(mask).reduce((a, b) => a + b, 0), 1);
    const outputs = await graphs.run({
      dtype,
      inputs: {
        logprobs: inputs.logprobs,
        mask,
        advantages,
        weights: weightsOf(params, inputs, mask),
        ...(inputs.old_logprobs ? { old_logprobs: inputs.old_logprobs } : {}),
        ...(inputs.ref_logprobs ? { ref_logprobs: inputs.ref_logprobs } : {}),
      } satisfies Record<string, Nested>,
      build(input) {
        const on = input("mask");
        const terms = clipped.graph(loss, { logprobs: input("logprobs"), mask: on, input, statistic: input });
        const { clip_fraction, kl }: Readonly<Record<string, Value>> = terms.metrics;
        const region = loss.ratioLevel === "token"
          ? clip_fraction!.mul(on).sum().div(tokens)
          : clip_fraction!.sum().div(mask.length);
        return {
          loss: terms.loss.mul(input("weights")).sum(),
          region,
          ...(kl ? { kl: kl.mul(on).sum().div(tokens) } : {}),
        };
      },
      gradients: { of: "loss", by: ["logprobs"] },
    });
    return { ...outputs, metrics: { "clip_ratio/region_mean": outputs["region"], kl: outputs["kl"] } };
  },
});
