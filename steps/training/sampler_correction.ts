/** What `apply_update` does about a sampler that is not quite the policy: weights, rejection, the old policy. @module */
import { z } from "zod";
import { missingTokens } from "../corrections/log_ratios.ts";
import { mapRows, type Rows, tokenCount } from "../corrections/masked_rows.ts";
import { CRITERIA, type Criterion, rejectionBounds } from "../corrections/rejection.ts";
import { rolloutCorrection } from "../corrections/rollout_correction.ts";
import { OUTSIDE } from "../corrections/sampler_weights.ts";
import { samplingMetrics } from "../corrections/sampling_metrics.ts";
import { withoutEffect } from "../options/without_effect.ts";

const RATIOS = z.tuple([z.number().positive(), z.number().positive()]);
const ESTIMATE = z.number().positive();

/** Of every criterion: two ratios for k1, else the largest estimate in nats. */
const REJECT = z.strictObject(
  Object.fromEntries(
    Object.entries(CRITERIA).map(([name, { estimate }]) => [name, (estimate === "k1" ? RATIOS : ESTIMATE).optional()]),
  ) as Record<Criterion, z.ZodOptional<typeof RATIOS | typeof ESTIMATE>>,
);

/** Options of the correction. */
export const SAMPLER_PARAMS = {
  old_logprobs: z.enum(["trainer", "sampler"]).default("trainer").describe(
    "the policy that ratios compare with: as the train graph computes it before the first update, or as the sampler " +
      "reported it (verl bypass_mode)",
  ),
  sampler_weights: z.enum(["none", "token", "sequence"]).default("none").describe(
    "multiply the loss by exp(old_logprobs - sampler_logprobs) per token, or its product over a completion; costs a pass",
  ),
  sampler_bounds: z.tuple([z.number().min(0).nullable(), z.number().positive().nullable()]).default([null, 2]).describe(
    "smallest and largest weight; null = none",
  ),
  sampler_outside: z.enum(Object.keys(OUTSIDE) as (keyof typeof OUTSIDE)[]).default("truncate").describe(
    "weights outside the bounds: the bound; 0; or 0 for a completion whose mean ratio is outside (OpenRLHF seq-mask-tis)",
  ),
  sampler_normalize: z.boolean().default(false).describe("divide the weights by their mean"),
  sampler_reject: REJECT.default({}).describe(
    "leave out tokens or completions that are too far apart, by criterion: seq_mean_k3: 0.01; for k1 two ratios of " +
      "sampler over trainer: token_k1: [0.5, 2]; costs a pass",
  ),
};

const SHAPE = z.strictObject(SAMPLER_PARAMS);
export type SamplerOptions = z.output<typeof SHAPE>;

/** True where log-probs of trainer and sampler are compared before the first update. */
export function comparesSampler({ sampler_weights, sampler_reject }: SamplerOptions): boolean {
  return sampler_weights !== "none" || Object.keys(sampler_reject).length > 0;
}

/** What is wrong with the options together. */
export function samplerProblems(given: SamplerOptions): string[] {
  const [low, high] = given.sampler_bounds, problems: string[] = [];
  if (given.sampler_weights === "none") {
    const idle = ["sampler_bounds", "sampler_outside", "sampler_normalize"] as const;
    problems.push(...withoutEffect(given, SAMPLER_PARAMS, idle, "sampler_weights is none, want token or sequence"));
  }
  if (low !== null && high !== null && low > high) {
    problems.push(`Cannot bound sampler weights by ${low} and ${high}: want the lower bound first`);
  }
  if (given.old_logprobs === "sampler" && given.sampler_weights !== "none") {
    problems.push(
      "Cannot weigh by the sampler with old_logprobs: sampler: the ratio is that of the sampler already, want " +
        "old_logprobs: trainer",
    );
  }
  return problems;
}

/** What `correctedRollout` measures. */
export const SAMPLER_COLUMNS = [
  "sampler_logprob_gap_mean",
  "sampler_kl",
  "sampler_k3_kl",
  "sampler_chi2",
  "sampler_ratio_mean",
  "sampler_ratio_min",
  "sampler_ratio_max",
  "sampler_ratio_std",
  "sampler_outside_fraction",
  "effective_sample_fraction",
  "rejected_fraction",
  "rejected_completion_fraction",
] as const;

export type SamplerMetrics = Readonly<Record<(typeof SAMPLER_COLUMNS)[number], number | null>>;

interface SamplerCorrected {
  /** [B][T], or [B] at sequence level; null without weights. */
  readonly weights: readonly ArrayLike<number>[] | readonly number[] | null;
  /** 1 on tokens that count and were not rejected. */
  readonly mask: readonly ArrayLike<number>[];
  readonly metrics: SamplerMetrics;
  /** Tokens that count for which the sampler gave no value: their ratio is 1. */
  readonly missing: number;
}

/**
 * Weights and mask of a rollout. Throws RangeError where every weight is 0 or every token is rejected.
 *
 * old, sampler   [B][T]  log p of the drawn token, nats
 * mask           [B][T]  1 on tokens that count
 */
export function correctSampler(given: SamplerOptions, old: Rows, sampler: Rows, mask: Rows): SamplerCorrected {
  const { sampler_weights: level } = given;
  // A token of which the sampler says nothing has ratio 1, as in TRL, in every measure but `sampler_logprob_gap`.
  const known = mapRows(sampler, (value, i, t) => Number.isNaN(value) ? old[i]![t]! : value);
  const { weights, mask: kept, metrics } = rolloutCorrection(old, known, mask, {
    weights: level === "none" ? null : { level, bounds: given.sampler_bounds, outside: given.sampler_outside },
    normalize: given.sampler_normalize,
    reject: (Object.entries(given.sampler_reject) as [Criterion, number | [number, number]][])
      .map(([name, written]) => [name, rejectionBounds(name, written)]),
  });
  if (!kept.some((row) => tokenCount(row) > 0)) {
    throw new RangeError(
      `Cannot update: every token was rejected by ${
        Object.keys(given.sampler_reject).join(", ")
      }; widen sampler_reject, ` +
        "or look at why sampler and trainer disagree",
    );
  }
  const of = (name: string) => metrics[name] ?? null;
  return {
    weights: weights && level === "sequence" ? weights.map((row, i) => weightOf(row, mask[i]!)) : weights,
    mask: kept,
    missing: missingTokens(sampler, mask),
    metrics: {
      sampler_logprob_gap_mean: samplingMetrics(old, sampler, mask, weights ?? [], "token").differenceMean,
      sampler_kl: of("kl"),
      sampler_k3_kl: of("k3_kl"),
      sampler_chi2: of("chi2_token"),
      sampler_ratio_mean: of("rollout_is_mean"),
      sampler_ratio_min: of("rollout_is_min"),
      sampler_ratio_max: of("rollout_is_max"),
      sampler_ratio_std: of("rollout_is_std"),
      sampler_outside_fraction: weights && of("rollout_is_ratio_fraction_high")! + of("rollout_is_ratio_fraction_low")!,
      effective_sample_fraction: of("rollout_is_eff_sample_size"),
      rejected_fraction: of("rollout_rs_masked_fraction"),
      rejected_completion_fraction: of("rollout_rs_seq_masked_fraction"),
    },
  };
}

/** A completion's weight: that of its first token that counts; 1 where there is none. */
function weightOf(weights: ArrayLike<number>, mask: ArrayLike<number>): number {
  const first = Array.from(mask).findIndex(Boolean);
  return first < 0 ? 1 : weights[first]!;
}
