/** The metrics of a train step: what its completions, its updates and its clock say. @module */
import type { Aggregation } from "../../gpu/losses/aggregations.ts";
import type { KlEstimator } from "../../gpu/losses/kl.ts";
import { ROLLOUT_METRICS } from "../../gpu/losses/mod.ts";
import type { ObjectiveOptions, OwnLoss, SharedTerms } from "../../gpu/losses/objective.ts";
import { columnArray } from "../../data/tables/mod.ts";
import { expectedLoss, type LossForm } from "../../data/signals/expected_loss.ts";
import type { StepContext } from "../step.ts";
import { FILTER_COLUMNS, filterMetrics } from "./filter_metrics.ts";
import { largestGap, meanKl } from "./logprob_gaps.ts";
import type { Rollout } from "../training/rollout.ts";
import { SAMPLER_COLUMNS, type SamplerMetrics } from "../training/sampler_correction.ts";
import type { UpdateRow } from "../training/update.ts";
import { ROLLOUT_COLUMNS, rolloutMetrics } from "./rollout_metrics.ts";

/** What of the step's parameters its metrics depend on. */
interface UpdateOptions {
  readonly kl_coef: number;
  readonly kl_estimator: KlEstimator;
  readonly updates_per_rollout: number;
}

/** How the loss was made, and when the step started, ms. */
interface UpdateLoss {
  readonly aggregation: Aggregation;
  readonly objective: ObjectiveOptions;
  readonly own: OwnLoss;
  /** What else is in it: the KL, the entropy, masks. */
  readonly shared: Omit<SharedTerms, "onPolicy">;
  readonly started: number;
  /** Weight of the KL in this train step. */
  readonly klCoef: number;
  readonly sampler: SamplerMetrics;
  /** Of the policy at temperature 1 before the updates. */
  readonly entropy: number | null;
}

/** Aggregations whose loss at ratio 1 has a closed form of advantages and lengths alone. */
const LOSS_FORMS: Partial<Record<Aggregation, LossForm>> = {
  token_mean: "token_mean",
  rollout_token_mean: "token_mean",
  sequence_mean: "sequence_mean",
  sequence_sum_norm: "sequence_sum_norm",
};

/** What `updateMetrics` writes. */
export const METRIC_COLUMNS = [
  "train_step",
  "phase",
  "step_id",
  "completions",
  ...ROLLOUT_COLUMNS,
  ...FILTER_COLUMNS,
  "loss",
  "entropy",
  ...ROLLOUT_METRICS,
  "grad_norm",
  "learning_rate",
  "update_size",
  "relative_update",
  "expected_loss",
  "kl_coef",
  "entropy_coef",
  "sampler_logprob_gap",
  ...SAMPLER_COLUMNS,
  "non_finite",
  "tokens_per_second",
  "step_ms",
  "sample_ms",
  "score_ms",
  "update_ms",
] as const;

/** What of `updates` a train step reports as its mean. */
const MEANS = ["loss", ...ROLLOUT_METRICS, "grad_norm", "update_size", "relative_update"] as const;

type Metrics = Record<(typeof METRIC_COLUMNS)[number], unknown>;

/** The row of the table `metrics`, times in ms. Means are over updates; without a KL in the loss, `kl` is that of the policy that sampled. */
export function updateMetrics(
  given: UpdateOptions,
  context: StepContext,
  rollout: Rollout,
  rows: readonly UpdateRow[],
  { aggregation, objective, own, shared, started, klCoef, sampler, entropy }: UpdateLoss,
): Metrics {
  const { kl, ...means } = updateMeans(rows);
  const form = LOSS_FORMS[aggregation];
  const isPlain = Object.values(shared).every((term) => term === null) && !rollout.tokenAdvantages;
  const closed = form && isPlain && objective.isMinusAdvantage(own) && given.updates_per_rollout === 1;
  return {
    train_step: context.trainStep,
    phase: "rollout",
    step_id: context.stepId,
    completions: rollout.completions.length,
    ...rolloutMetrics(context.table("completions")),
    ...filterMetrics(context.table("groups"), context.table("completions")),
    ...means,
    entropy,
    kl: kl ??
      (rollout.refLogprobs && rollout.oldLogprobs
        ? meanKl(rollout.oldLogprobs, rollout.refLogprobs, rollout.completionMask, given.kl_estimator)
        : null),
    expected_loss: closed ? expectedLoss(form, rollout.advantages, rollout.lengths, rollout.maxNewTokens) : null,
    kl_coef: given.kl_coef > 0 ? klCoef : null,
    entropy_coef: rows.at(-1)?.entropy_coef ?? null,
    ...sampler,
    sampler_logprob_gap: rollout.comparable && rollout.oldLogprobs
      ? largestGap(rollout.oldLogprobs, rollout.samplerLogprobs, freshTokens(context, rollout.sampledMask))
      : null,
    non_finite: rows.filter((row) => row.applied === false).length,
    ...timings(context, rollout.tokens, performance.now() - started),
  };
}

/** The mask without replayed completions: their sampler was an older policy, which is no disagreement. */
function freshTokens(context: StepContext, mask: Rollout["completionMask"]): Rollout["completionMask"] {
  const completions = context.table("completions");
  if (!completions.column("replayed_from")) return mask;
  const from = columnArray(completions, "replayed_from");
  return mask.map((row, i) => from[i] === null || from[i] === undefined ? row : new Float32Array(row.length));
}

/** What the updates say together. */
function updateMeans(
  rows: readonly UpdateRow[],
): Readonly<Record<(typeof MEANS)[number] | "learning_rate", number | null>> {
  const numbers = (name: keyof UpdateRow) => rows.map((row) => row[name]).filter((v) => typeof v === "number");
  const mean = (name: keyof UpdateRow) => {
    const values = numbers(name);
    return values.length ? values.reduce((a, b) => a + b, 0) / values.length : null;
  };
  const means = Object.fromEntries(MEANS.map((name) => [name, mean(name)]));
  return {
    ...means as Record<(typeof MEANS)[number], number | null>,
    learning_rate: numbers("learning_rate").at(-1) ?? null,
  };
}

/** Ms of the train step and its parts, and tokens that count per second of it. */
function timings({ times }: StepContext, tokens: number, updateMs: number) {
  const sampleMs = times?.get("sample") ?? null, scoreMs = times?.get("score") ?? 0;
  const stepMs = (sampleMs ?? 0) + scoreMs + updateMs;
  return {
    tokens_per_second: stepMs > 0 ? 1000 * tokens / stepMs : null,
    step_ms: stepMs,
    sample_ms: sampleMs,
    score_ms: scoreMs,
    update_ms: updateMs,
  };
}
