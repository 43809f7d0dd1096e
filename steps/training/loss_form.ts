/** The loss of `apply_update` from what a workflow says of it: objective, preset, KL, entropy, masks, aggregation. @module */
import { z } from "zod";
import { type Aggregation, AGGREGATIONS, type AggregationTotals } from "../../gpu/losses/aggregations.ts";
import { formOf, KL_ESTIMATORS, type KlBounds, type KlEstimator } from "../../gpu/losses/kl.ts";
import {
  type Loss,
  objectiveOf as entryOf,
  ROLLOUT_OBJECTIVES,
  type RolloutObjectiveName,
} from "../../gpu/losses/mod.ts";
import type { ObjectiveOptions, OwnLoss, RolloutLoss, SharedTerms } from "../../gpu/losses/objective.ts";
import { LOSS_PRESETS, type LossPreset, type LossPresetName } from "../../gpu/losses/presets.ts";
import { KL_PARAMS } from "../options/kl_params.ts";
import { mergedOptions, ownOptions, strangeOptions } from "../options/own_options.ts";
import { withoutEffect } from "../options/without_effect.ts";

const OPTIONS = mergedOptions(ROLLOUT_OBJECTIVES);
const AGGREGATION = z.enum(Object.keys(AGGREGATIONS) as [Aggregation, ...Aggregation[]]);

/** Options that make the loss. */
export const LOSS_PARAMS = {
  loss: z.literal(Object.keys(ROLLOUT_OBJECTIVES) as RolloutObjectiveName[]).optional().describe(
    "the objective; the preset's, else clipped, if absent",
  ),
  preset: z.enum(Object.keys(LOSS_PRESETS) as [LossPresetName, ...LossPresetName[]]).optional().describe(
    "objective, its options, aggregation and KL under the name a paper or a system (trl/…) gives them; what is set here wins",
  ),
  aggregation: AGGREGATION.optional().describe(
    "how per-token losses become one number; the preset's, else token_mean, if absent",
  ),
  aggregation_norm: z.int().positive().optional().describe(
    "constant length of sequence_sum_norm, tokens; max_new_tokens if absent",
  ),
  ...OPTIONS,
  ...KL_PARAMS,
  kl_estimator: z.enum(Object.keys(KL_ESTIMATORS) as [KlEstimator, ...KlEstimator[]]).optional().describe(
    "estimator of the KL to the reference; the preset's, else k3, if absent",
  ),
  kl_times_ratio: z.boolean().optional().describe(
    "multiply the KL by the ratio, gradient included (TRL use_bias_correction_kl); the preset's, else false, if absent",
  ),
  entropy_coef: z.number().min(0).default(0).describe("what a nat of entropy takes off the loss"),
  top_entropy_fraction: z.number().gt(0).max(1).default(1).describe(
    "share of the update's tokens, those of highest entropy, that the objective learns from (TRL top_entropy_quantile)",
  ),
  off_policy_threshold: z.number().optional().describe(
    "drop completions of negative advantage whose mean log-ratio of the old policy to this one is above it, nats per token",
  ),
};

const SHAPE = z.strictObject(LOSS_PARAMS);
export type LossOptions = z.output<typeof SHAPE>;

/** How per-token losses are made and become one number. */
export interface LossForm {
  readonly aggregation: Aggregation;
  readonly objective: ObjectiveOptions;
  /** What the objective made of its options. */
  readonly own: OwnLoss;
  /** What is the same for every objective, but for `onPolicy`. */
  readonly shared: Omit<SharedTerms, "onPolicy">;
  /** What the aggregation counts otherwise than by default. */
  readonly totals: Partial<AggregationTotals>;
}

/** The preset's entry, with all its fields. */
function presetOf({ preset }: Pick<LossOptions, "preset">): LossPreset | null {
  return preset ? LOSS_PRESETS[preset] : null;
}

/** The objective that is chosen. */
function objectiveOf(given: Pick<LossOptions, "loss" | "preset">): RolloutObjectiveName {
  return given.loss ?? (presetOf(given)?.loss as RolloutObjectiveName | undefined) ?? "clipped";
}

/** The objective's own options: the preset's, and over them what is given. */
function objectiveOptions(given: Readonly<Partial<LossOptions>>, objective: ObjectiveOptions) {
  return { ...presetOf(given)?.options, ...ownOptions(objective, given) };
}

/** What is wrong with the options together. */
export function lossProblems(given: LossOptions): string[] {
  const name = objectiveOf(given), preset = presetOf(given), objective: ObjectiveOptions = ROLLOUT_OBJECTIVES[name];
  if (preset && preset.loss !== name) {
    return [
      `Cannot use preset "${given.preset}" with loss "${name}": the preset is of loss "${preset.loss}"; leave one of them out`,
    ];
  }
  const problems = strangeOptions(`loss "${name}"`, objective, OPTIONS, given);
  const { error } = objective.params.safeParse(objectiveOptions(given, objective));
  for (const { path, message } of error?.issues ?? []) {
    problems.push(`Cannot use loss "${name}": its option "${path.join(".")}" is missing or wrong (${message}); set it`);
  }
  if (!error) problems.push(...objective.problems?.(objective.params.parse(objectiveOptions(given, objective))) ?? []);
  if (given.kl_coef === 0) {
    const idle = ["kl_times_ratio", "kl_difference_bound", "kl_bound"] as const;
    problems.push(...withoutEffect(given, LOSS_PARAMS, idle, "kl_coef is 0, want it above 0"));
  }
  if (given.aggregation_norm !== undefined && aggregationOf(given) !== "sequence_sum_norm") {
    problems.push(
      `Cannot use "aggregation_norm": aggregation is ${
        aggregationOf(given)
      }, want sequence_sum_norm; nothing would change`,
    );
  }
  return problems;
}

function aggregationOf(given: Pick<LossOptions, "aggregation" | "preset">): Aggregation {
  return given.aggregation ?? presetOf(given)?.aggregation ?? "token_mean";
}

/** Options as they are written, with the defaults; throws a TypeError for options that a plan would refuse. */
export function lossOptions(written: Readonly<Record<string, unknown>>): LossOptions {
  const { data, error } = SHAPE.safeParse(written);
  const [first] = error?.issues ?? [];
  if (first) throw new TypeError(`Cannot use option "${first.path.join(".")}" of apply_update: ${first.message}`);
  const [problem] = lossProblems(data!);
  if (problem) throw new TypeError(problem);
  return data!;
}

/** The loss that a workflow's options make. */
export function lossForm(given: LossOptions): LossForm {
  const preset = presetOf(given), aggregation = aggregationOf(given);
  const objective: ObjectiveOptions = ROLLOUT_OBJECTIVES[objectiveOf(given)];
  const own = objective.lossOf(objective.params.parse(objectiveOptions(given, objective)));
  const entropyAggregation = preset?.entropy_as_objective ? aggregation : "token_mean";
  const overTokens = aggregation === "token_mean" || aggregation === "token_sum";
  return {
    aggregation,
    objective,
    own,
    shared: {
      kl: given.kl_coef > 0 ? klTerm(given, preset, aggregation) : null,
      ...(given.entropy_coef > 0
        ? { entropy: { coefficient: given.entropy_coef, aggregation: entropyAggregation } }
        : {}),
      ...(given.top_entropy_fraction < 1 ? { topEntropy: true } : {}),
      ...(given.off_policy_threshold === undefined
        ? {}
        : { offPolicy: { threshold: given.off_policy_threshold, logprobs: "old_logprobs" } }),
      ...(preset?.raw_padding ? { rawPadding: true } : {}),
      ...(preset?.drops_padding ? { dropsPadding: overTokens ? "tokens" : "rows" } : {}),
    },
    totals: {
      ...(preset?.counts_empty === false ? { countsEmpty: false } : {}),
      ...(given.aggregation_norm === undefined ? {} : { norm: given.aggregation_norm }),
    },
  };
}

function klTerm(given: LossOptions, preset: LossPreset | null, aggregation: Aggregation): SharedTerms["kl"] {
  const estimator = klEstimator(given), own = preset?.kl?.bounds?.[formOf(estimator)];
  const bound = (set: number | null | undefined, theirs: number | null | undefined) =>
    set === undefined ? theirs ?? null : set;
  const bounds: KlBounds = {
    difference: bound(given.kl_difference_bound, own?.difference),
    value: bound(given.kl_bound, own?.value),
  };
  const other = preset?.kl?.aggregation;
  return {
    estimator,
    coefficient: given.kl_coef,
    timesRatio: given.kl_times_ratio ?? preset?.kl?.times_ratio ?? false,
    ...(bounds.difference === null && bounds.value === null ? {} : { bounds }),
    ...(other && other !== aggregation ? { aggregation: other } : {}),
  };
}

/** True where the loss of a token depends on the others' of the update: it cannot be cut into passes. */
export function readsWholeBatch(given: LossOptions): boolean {
  const loss = lossOf(lossForm(given), false) as Loss;
  return entryOf(loss).wholeBatch?.(loss) ?? false;
}

/** The estimator of the KL, in the loss or only told. */
export function klEstimator(given: Pick<LossOptions, "kl_estimator" | "preset">): KlEstimator {
  return given.kl_estimator ?? presetOf(given)?.kl?.estimator ?? "k3";
}

/** The whole loss of one update. */
export function lossOf({ own, shared }: LossForm, onPolicy: boolean): RolloutLoss {
  return { ...own, ...shared, onPolicy };
}
