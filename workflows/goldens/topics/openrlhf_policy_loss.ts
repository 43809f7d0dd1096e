/** OpenRLHF's policy loss and KL loss against those of `apply_update`. @module */
import type { AggregationTotals } from "../../../gpu/losses/aggregations.ts";
import { logRatios } from "../../../steps/corrections/log_ratios.ts";
import { type SamplerWeights, samplerWeights } from "../../../steps/corrections/sampler_weights.ts";
import { type Matrix, type PolicyInputs, policyLoss, withoutUndefined } from "../policy_loss.ts";
import { defineTopic } from "../topic.ts";

interface Params {
  readonly policy_loss_type?: string;
  readonly token_level_loss?: boolean;
  readonly clip_eps_low?: number;
  readonly clip_eps_high?: number;
  readonly dual_clip?: number | null;
  readonly dp_size?: number;
  readonly batch_num_tokens?: number;
  readonly global_batch_size?: number;
  readonly enable_vllm_is_correction?: boolean;
  readonly vllm_is_truncated_threshold?: readonly [number, number];
  readonly vllm_is_correction_type?: string;
  readonly kl_estimator?: string;
}
interface Inputs extends PolicyInputs {
  readonly sampling_logprobs?: Matrix;
}

/** What a workflow writes for OpenRLHF's options. */
function openrlhfOptions(params: Params): Record<string, unknown> {
  const type = params.policy_loss_type ?? "ppo";
  return withoutUndefined({
    preset: `openrlhf/${type}`,
    clip_low: params.clip_eps_low,
    clip_high: params.clip_eps_high,
    ratio_cap: params.dual_clip ?? undefined,
    aggregation: params.token_level_loss === false ? "sequence_mean" : undefined,
  });
}

function totalsOf({ dp_size, batch_num_tokens, global_batch_size }: Params): Partial<AggregationTotals> {
  return withoutUndefined({ tokens: batch_num_tokens, sequences: global_batch_size, scale: dp_size });
}

const OUTSIDE: Readonly<Record<string, SamplerWeights["outside"]>> = {
  tis: "truncate",
  icepop: "mask",
  "seq-mask-tis": "mask_sequence",
};

/** What becomes of weights beyond the bounds; throws for a type that is none, be it used or not. */
function outsideOf({ vllm_is_correction_type: type = "tis" }: Params): SamplerWeights["outside"] {
  const outside = OUTSIDE[type];
  if (outside !== undefined) return outside;
  throw new RangeError(`Cannot correct for the sampler by "${type}": want ${Object.keys(OUTSIDE).join(", ")}`);
}

/** The weights of tokens that the engine and the trainer disagree on. */
function weightsOf(
  params: Params,
  { old_logprobs, sampling_logprobs, completion_mask }: Inputs,
  outside: SamplerWeights["outside"],
) {
  const bounds = params.vllm_is_truncated_threshold ?? [0.5, 5] as const;
  const logRatio = logRatios(old_logprobs!, sampling_logprobs!, completion_mask);
  const weights = samplerWeights(logRatio, completion_mask, { level: "token", bounds, outside, logBound: null });
  return weights.map((row) => Array.from(row));
}

export const openrlhfPolicyLoss = defineTopic<Params, Inputs>({
  about: "OpenRLHF models/loss.py PolicyLoss (preset openrlhf/… of apply_update)",
  takes: {
    openrlhf: ({ name }) => /^policy_loss\//.test(name),
    edge: ({ name }) => /^openrlhf\/(?:[^/]+\/(?:ppo|gspo)(?:\/|$)|dual_clip|unknown_policy|unknown_is)/.test(name),
  },
  graph: true,
  async evaluate({ params, inputs }, tools) {
    const options = openrlhfOptions(params), outside = outsideOf(params);
    const isCorrected = params.enable_vllm_is_correction ?? false;
    const weights = isCorrected ? weightsOf(params, inputs, outside) : null;
    const { sampling_logprobs: sampler, completion_mask: mask } = inputs;
    // The ratio of gspo with a correction is to the sampler itself.
    const isToSampler = isCorrected && params.policy_loss_type === "gspo";
    const result = await policyLoss({
      options,
      inputs: isToSampler ? { ...inputs, old_logprobs: sampler! } : inputs,
      totals: totalsOf(params),
      ...(weights && !isToSampler ? { shared: { samplerWeights: "token" }, given: { sampler_weights: weights } } : {}),
    }, tools);
    const { clip_fraction, approx_kl } = result.metrics;
    const { old_logprobs: old, logprobs } = inputs, gaps = sampler && old ? meanGap(sampler, old, mask) : undefined;
    // Told without the bound of the ratio's.
    const kl = old ? meanGap(old, logprobs, mask) : approx_kl;
    return {
      ...result,
      metrics: { ppo_clip_ratio: mask.flat().includes(1) ? clip_fraction : NaN, ppo_kl: kl, vllm_kl: gaps },
    };
  },
});

/** Mean of a - b over tokens that count, nats. */
function meanGap(a: Matrix, b: Matrix, mask: Matrix): number {
  let sum = 0, tokens = 0;
  mask.forEach((row, r) =>
    row.forEach((counts, t) => {
      sum += counts * (a[r]![t]! - b[r]![t]!);
      tokens += counts;
    })
  );
  return sum / tokens;
}

export const openrlhfKlLoss = defineTopic<Params, Inputs>({
  about: "OpenRLHF compute_approx_kl averaged over tokens, as its actor's loss adds it (kl_coef of apply_update)",
  takes: { openrlhf: ({ name }) => /^kl_loss\//.test(name) },
  graph: true,
  async evaluate({ params, inputs }, tools) {
    const { logprobs } = inputs;
    const { loss, grad_logprobs } = await policyLoss({
      options: { ...openrlhfOptions(params), kl_coef: 1, kl_estimator: params.kl_estimator },
      inputs: { ...inputs, old_logprobs: null, advantages: logprobs.map(() => 0) },
    }, tools);
    return { loss, grad_logprobs };
  },
});
