/** TRL's losses of GRPO and RLOO against those of `apply_update`. @module */
import {
  type Matrix,
  type PolicyInputs,
  policyLoss,
  type PolicyOutputs,
  type PolicyRequest,
  withoutUndefined,
} from "../policy_loss.ts";
import { defineTopic, type Tools } from "../topic.ts";

/** GRPOConfig's fields, each with the default of the goldens where absent. */
export interface TrlParams {
  readonly loss_type?: string;
  readonly importance_sampling_level?: "token" | "sequence";
  readonly beta?: number;
  readonly epsilon?: number;
  readonly epsilon_high?: number | null;
  readonly delta?: number | null;
  readonly use_bias_correction_kl?: boolean;
  readonly top_entropy_quantile?: number;
  readonly off_policy_mask_threshold?: number | null;
  readonly entropy_coef?: number;
  readonly training?: boolean;
  readonly gradient_accumulation_steps?: number;
  readonly steps_per_generation?: number;
  readonly max_completion_length?: number;
  readonly sapo_temperature_pos?: number;
  readonly sapo_temperature_neg?: number;
  readonly vespo_k_pos?: number;
  readonly vespo_lambda_pos?: number;
  readonly vespo_k_neg?: number;
  readonly vespo_lambda_neg?: number;
}
export interface TrlInputs extends PolicyInputs {
  readonly tool_mask?: Matrix;
  readonly num_items_in_batch?: number;
  readonly sampling_logprobs?: Matrix;
}

/** The objective's own options of a loss_type. */
function ownOptions(lossType: string, params: TrlParams) {
  const low = params.epsilon ?? 0.2, high = params.epsilon_high ?? low;
  switch (lossType) {
    case "cispo":
      return { ratio_cap: high };
    case "sapo":
      return { temperature_positive: params.sapo_temperature_pos, temperature_negative: params.sapo_temperature_neg };
    case "vespo":
      return {
        k_positive: params.vespo_k_pos,
        lambda_positive: params.vespo_lambda_pos,
        k_negative: params.vespo_k_neg,
        lambda_negative: params.vespo_lambda_neg,
      };
    default:
      return { clip_low: low, clip_high: high, ratio_cap: params.delta ?? undefined };
  }
}

/** What a workflow writes for TRL's options. */
export function trlOptions(params: TrlParams): Record<string, unknown> {
  const lossType = params.loss_type ?? "dapo", beta = params.beta ?? 0;
  return withoutUndefined({
    preset: `trl/${lossType}`,
    ...ownOptions(lossType, params),
    ratio_level: params.importance_sampling_level,
    aggregation_norm: lossType === "dr_grpo" ? params.max_completion_length ?? 16 : undefined,
    kl_coef: beta,
    kl_times_ratio: beta === 0 ? undefined : params.use_bias_correction_kl ?? false,
    top_entropy_fraction: params.top_entropy_quantile,
    off_policy_threshold: params.off_policy_mask_threshold ?? undefined,
    entropy_coef: params.entropy_coef,
  });
}

/** What TRL divides by: the accumulation steps, and for means over the rollout its tokens per generation step. */
export function trlTotals(params: TrlParams, items: number | undefined) {
  const isTraining = params.training ?? true;
  const accumulation = isTraining ? params.gradient_accumulation_steps ?? 1 : 1;
  const updates = isTraining ? params.steps_per_generation ?? 1 : 1;
  return { ...(items === undefined ? {} : { rolloutTokens: items }), updates, scale: 1 / accumulation };
}

/** Our metrics under TRL's names. */
export function trlMetrics({ metrics }: Pick<PolicyOutputs, "metrics">, params: TrlParams) {
  const { clip_fraction_low: low, clip_fraction_high: high, clip_fraction: region } = metrics;
  return {
    "clip_ratio/low_mean": low,
    "clip_ratio/low_min": metrics["clip_fraction_low_min"],
    "clip_ratio/high_mean": high,
    "clip_ratio/high_max": metrics["clip_fraction_high_max"],
    "clip_ratio/region_mean": region,
    cispo_clip_ratio: region,
    "vespo/phi_seq_mean": metrics["phi_mean"],
    kl: metrics["kl"],
    entropy: metrics["entropy"],
    entropy_coef: params.entropy_coef,
  };
}

/**
 * What TRL calls policy_loss: all but the entropy bonus, the KL too, before the division by the accumulation steps, which a
 * mean over the rollout has inside.
 */
export async function trlPolicyLoss(request: PolicyRequest, params: TrlParams, tools: Tools): Promise<number> {
  const { entropy_coef: _, ...options } = request.options;
  const { loss } = await policyLoss({ ...request, options }, tools);
  const isOfRollout = ["dapo", "cispo", "vespo"].includes(params.loss_type ?? "dapo");
  return isOfRollout ? loss : loss / trlTotals(params, undefined).scale;
}

/** The case's mask without the outputs of tools. */
export function trlMask({ completion_mask, tool_mask }: TrlInputs): Matrix {
  return (completion_mask ?? []).map((row, b) => row.map((m, t) => m * (tool_mask?.[b]?.[t] ?? 1)));
}

const OTHERS = /^(?:trl\/grpo\/)?(?:vllm|mask_truncated|.*adaptive_entropy)/;

export const trlGrpoLosses = defineTopic<TrlParams, TrlInputs>({
  about: "TRL 1.16 grpo_trainer.py _compute_loss: value, gradient and metrics (preset trl/… of apply_update)",
  takes: {
    trl_grpo_losses: ({ name }) => !OTHERS.test(name),
    edge: ({ name, inputs }) =>
      /^trl\/grpo\//.test(name) && !OTHERS.test(name) && (has(inputs, "logprobs") || /unknown_loss_type/.test(name)),
  },
  graph: true,
  async evaluate({ params, inputs }, tools) {
    const { sampling_logprobs: sampler } = inputs, threshold = params.off_policy_mask_threshold ?? null;
    const request: PolicyRequest = {
      options: trlOptions(params),
      inputs: { ...inputs, completion_mask: trlMask(inputs) },
      totals: trlTotals(params, inputs.num_items_in_batch),
      ...(sampler && threshold !== null
        ? { shared: { offPolicy: { threshold, logprobs: "sampler_logprobs" } }, given: { sampler_logprobs: sampler } }
        : {}),
    };
    const result = await policyLoss(request, tools);
    const policy_loss = params.entropy_coef === undefined ? undefined : await trlPolicyLoss(request, params, tools);
    return { ...result, metrics: { ...trlMetrics(result, params), policy_loss } };
  },
});

function has(inputs: unknown, name: string): boolean {
  return typeof inputs === "object" && inputs !== null && name in inputs;
}
