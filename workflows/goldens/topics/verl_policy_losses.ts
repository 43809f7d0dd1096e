/** verl's policy losses against those of `apply_update`. @module */
import { tokenCoefficients } from "../../../gpu/losses/aggregations.ts";
import type { Aggregation, AggregationTotals } from "../../../gpu/losses/aggregations.ts";
import { rolloutCorrection } from "../../../steps/corrections/rollout_correction.ts";
import { type Matrix, type PolicyInputs, policyLoss, type PolicyOutputs, withoutUndefined } from "../policy_loss.ts";
import { defineTopic } from "../topic.ts";
import { correctionOf } from "./verl_rollout_correction.ts";

type Correction = Parameters<typeof correctionOf>[0] & { readonly loss_type?: string };

interface GlobalBatch {
  readonly dp_size?: number;
  readonly batch_num_tokens?: number;
  readonly global_batch_size?: number;
  readonly loss_scale_factor?: number | null;
}
interface Params extends GlobalBatch {
  readonly loss_mode?: string;
  readonly loss_agg_mode?: string;
  readonly clip_ratio?: number;
  readonly clip_ratio_low?: number | null;
  readonly clip_ratio_high?: number | null;
  readonly clip_ratio_c?: number;
  readonly tau_pos?: number;
  readonly tau_neg?: number;
  readonly dro_beta?: number;
  readonly clip_cov_ratio?: number;
  readonly clip_cov_lb?: number;
  readonly clip_cov_ub?: number;
  readonly kl_cov_ratio?: number;
  readonly ppo_kl_coef?: number;
  readonly global_batch_info?: GlobalBatch;
  readonly rollout_correction?: Correction;
}
interface Inputs extends PolicyInputs {
  readonly rollout_is_weights?: Matrix;
  readonly loss_matrix?: Matrix;
}

const AGGREGATION: Readonly<Record<string, Aggregation>> = {
  "token-mean": "token_mean",
  "token-sum": "token_sum",
  "seq-mean-token-sum": "sequence_sum",
  "seq-mean-token-mean": "sequence_mean",
  "seq-mean-token-sum-norm": "sequence_sum_norm",
};

/** Modes that add their tokens up in their own way, whatever `loss_agg_mode`. */
const OWN_AGGREGATION = ["gspo", "sapo", "geo_mean"];

/** What bypass_mode runs. */
const BYPASS: Readonly<Record<string, string>> = { ppo_clip: "vanilla", reinforce: "reinforce" };

function modeOf({ loss_mode = "vanilla", rollout_correction }: Params): string {
  return loss_mode === "bypass_mode" ? BYPASS[rollout_correction?.loss_type ?? "ppo_clip"]! : loss_mode;
}

/** The objective's own options of a mode. */
function ownOptions(mode: string, params: Params): Record<string, unknown> {
  const both = params.clip_ratio ?? 0.2, bound = (given?: number | null) => given === null ? both : given ?? 0.2;
  const clip = { clip_low: bound(params.clip_ratio_low), clip_high: bound(params.clip_ratio_high) };
  switch (mode) {
    case "vanilla":
    case "dppo_tv":
    case "dppo_kl":
      return { ...clip, ratio_cap: params.clip_ratio_c };
    case "sapo":
      return { temperature_positive: params.tau_pos, temperature_negative: params.tau_neg };
    case "clip_cov":
      return {
        ...clip,
        cov_fraction: params.clip_cov_ratio,
        cov_low: params.clip_cov_lb,
        cov_high: params.clip_cov_ub,
      };
    case "kl_cov":
      return { cov_fraction: params.kl_cov_ratio, cov_kl_coef: params.ppo_kl_coef };
    case "dro":
      return { dro_beta: params.dro_beta };
    case "gpg":
    case "reinforce":
      return {};
    default:
      return clip;
  }
}

/** What a workflow writes for verl's options. */
function verlOptions(params: Params): Record<string, unknown> {
  const mode = modeOf(params);
  return withoutUndefined({
    preset: `verl/${mode}`,
    ...ownOptions(mode, params),
    aggregation: OWN_AGGREGATION.includes(mode) ? undefined : AGGREGATION[params.loss_agg_mode ?? "token-mean"],
  });
}

/** Counts of all processes, whose mean the gradient becomes; geo_mean is the mean over the rows at hand. */
function totalsOf(params: Params): Partial<AggregationTotals> {
  if (params.loss_mode === "geo_mean") return {};
  const { dp_size: processes = 1, batch_num_tokens, global_batch_size, loss_scale_factor } = params.global_batch_info ??
    params;
  return withoutUndefined({
    tokens: batch_num_tokens,
    sequences: global_batch_size,
    norm: loss_scale_factor ?? undefined,
    scale: processes,
  });
}

function metricsOf(mode: string, { metrics }: PolicyOutputs) {
  const { clip_fraction, clip_fraction_low: low, clip_fraction_high: high, dual_clip_fraction: dual } = metrics;
  const isOfSides = mode === "geo_mean";
  return {
    "actor/ppo_kl": metrics[mode === "kl_cov" ? "approx_kl_abs" : "approx_kl"],
    "actor/pg_clipfrac": isOfSides ? high : clip_fraction ?? 0,
    "actor/pg_clipfrac_lower": isOfSides ? low : dual ?? 0,
  };
}

/** The tokens that bypass_mode keeps, their weights, and what it tells. */
function bypassed(params: Params, { old_logprobs, logprobs, completion_mask }: Inputs) {
  const correction = params.rollout_correction ?? {};
  const result = rolloutCorrection(logprobs, old_logprobs!, completion_mask, correctionOf(correction));
  const mask: Matrix = result.mask.map((row) => Array.from(row));
  const isWeighed = correction.loss_type === "reinforce" && result.weights !== null;
  return { mask, weights: isWeighed ? result.weights!.map((row) => Array.from(row)) : null, metrics: result.metrics };
}

/** A matrix of losses, weighed as the step weighs tokens. */
function aggregated(params: Params, { loss_matrix, completion_mask }: Inputs) {
  const width = completion_mask[0]!.length, mode = AGGREGATION[params.loss_agg_mode!]!;
  const totals = { countsEmpty: false, ...totalsOf(params) };
  const weights = tokenCoefficients(mode, completion_mask.flat(), width, totals);
  return { loss: loss_matrix!.flat().reduce((sum, value, i) => sum + value * weights[i]!, 0) };
}

export const verlPolicyLosses = defineTopic<Params, Inputs>({
  about: "verl core_algos.py: policy losses and agg_loss (preset verl/… of apply_update)",
  takes: {
    verl_policy_losses: () => true,
    edge: ({ name, params }) => /^verl\//.test(name) && typeof params === "object" && "loss_mode" in (params ?? {}),
  },
  graph: true,
  async evaluate({ params, inputs }, tools) {
    if (inputs.loss_matrix) return aggregated(params, inputs);
    const mode = modeOf(params), bypass = params.loss_mode === "bypass_mode" ? bypassed(params, inputs) : null;
    const weights = bypass ? bypass.weights : inputs.rollout_is_weights ?? null;
    const result = await policyLoss({
      options: verlOptions(params),
      inputs: { ...inputs, ...(bypass ? { completion_mask: bypass.mask } : {}) },
      totals: totalsOf(params),
      ...(weights ? { shared: { samplerWeights: "token" }, given: { sampler_weights: weights } } : {}),
    }, tools);
    const corrections = Object.entries(bypass?.metrics ?? {}).map(([name, value]) => [`rollout_corr/${name}`, value]);
    return { ...result, metrics: { ...metricsOf(mode, result), ...Object.fromEntries(corrections) } };
  },
});
