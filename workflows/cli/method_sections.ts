/** What the page of methods lists: the tables of the code whose entries are methods, and where a workflow names them. @module */
import { AGGREGATIONS } from "../../gpu/losses/aggregations.ts";
import { KL_ESTIMATORS } from "../../gpu/losses/kl.ts";
import { KTO_FORMS } from "../../gpu/losses/kto.ts";
import { KTO_VANILLA_METHOD } from "../../gpu/losses/kto_vanilla.ts";
import { LOSS_PRESETS } from "../../gpu/losses/presets.ts";
import { OBJECTIVES, ROLLOUT_OBJECTIVES } from "../../gpu/losses/mod.ts";
import { DIVERGENCES } from "../../gpu/losses/preferences/divergences.ts";
import { DPO_LOSSES } from "../../gpu/losses/preferences/dpo_losses.ts";
import { ADVANTAGES } from "../../steps/advantages/mod.ts";
import { ADVANTAGE_PRESETS } from "../../steps/advantages/presets.ts";
import { REWARD_KL } from "../../steps/advantages/token_kl.ts";
import { ADAPTIVE_ENTROPY } from "../../steps/controllers/entropy_coefficient.ts";
import { ADAPTIVE_KL } from "../../steps/controllers/kl_coefficient.ts";
import { CRITERIA } from "../../steps/corrections/rejection.ts";
import { OUTSIDE } from "../../steps/corrections/sampler_weights.ts";
import { KEEP } from "../../steps/groups/judge.ts";
import { KL_PARAMS } from "../../steps/options/kl_params.ts";
import { REWARDS } from "../../steps/rewards/mod.ts";

/** Where a workflow says a method: a step and its option. */
export interface Place {
  readonly step: string;
  /** Null where the step has only this method. */
  readonly option: string | null;
  /** The option is a list of entries, each of which says what it `uses`. */
  readonly listed?: true;
  /** Options of the step that an entry reads beside its own. */
  readonly reads?: (entry: Entry, name: string) => readonly string[];
}

/** One kind of method: a table of the code, and the option that names its entries. */
export interface MethodSection extends Place {
  readonly title: string;
  readonly entries: Readonly<Record<string, unknown>>;
  /** Other steps that have the method, some of them not every one. */
  readonly also?: Place & { readonly names?: readonly string[] };
}

/** What a loss of pairs says of itself. */
export interface Entry {
  readonly smoothing?: unknown;
  readonly divergence?: unknown;
  readonly weighting?: unknown;
}

const { value, reward_pair, cross_entropy } = OBJECTIVES;
const KL_OPTIONS = Object.keys(KL_PARAMS), KL_TARGET_OPTIONS = ["kl_target", "kl_horizon", "kl_coef"];
const TARGET_OPTIONS = {
  kl_target: KL_TARGET_OPTIONS,
  entropy_target: ["entropy_target", "entropy_coef", "entropy_coef_step", "entropy_coef_min", "entropy_coef_max"],
};
const KTO_OPTIONS = ["beta", "desirable_weight", "undesirable_weight"];

function pairOptions({ smoothing, divergence, weighting }: Entry, name: string): string[] {
  return [
    "beta",
    ...(name === "discopop" ? ["discopop_tau"] : []),
    ...(smoothing ? ["label_smoothing"] : []),
    ...(divergence ? ["f_divergence"] : []),
    ...(weighting ? ["use_weighting"] : []),
    "ld_alpha",
    "reference_free",
  ];
}

/** Every table whose entries are methods. */
export const METHOD_SECTIONS: readonly MethodSection[] = [
  { title: "Policy losses", step: "apply_update", option: "loss", entries: ROLLOUT_OBJECTIVES },
  {
    title: "Aggregations",
    step: "apply_update",
    option: "aggregation",
    entries: AGGREGATIONS,
    also: { step: "update_critic", option: "aggregation" },
  },
  {
    title: "KL to the reference",
    step: "apply_update",
    option: "kl_estimator",
    entries: KL_ESTIMATORS,
    reads: () => [...KL_OPTIONS, "kl_times_ratio"],
    also: {
      step: "compute_advantages",
      option: "kl_estimator",
      names: REWARD_KL,
      reads: () => [...KL_OPTIONS, "kl_per_token"],
    },
  },
  { title: "Advantages", step: "compute_advantages", option: "estimator", entries: ADVANTAGES },
  {
    title: "Groups that are kept",
    step: "filter_groups",
    option: "keep",
    entries: KEEP,
    reads: (_, name) => ["metric", ...(name === "range" ? ["range"] : []), "groups", "max_batches", "too_few"],
  },
  {
    title: "Weights of what the sampler drew",
    step: "apply_update",
    option: "sampler_outside",
    entries: OUTSIDE,
    reads: () => ["sampler_weights", "sampler_bounds", "sampler_normalize"],
  },
  { title: "Rejection of what the sampler drew", step: "apply_update", option: "sampler_reject", entries: CRITERIA },
  {
    title: "Coefficients that follow a target",
    step: "apply_update",
    option: null,
    entries: { kl_target: ADAPTIVE_KL, entropy_target: ADAPTIVE_ENTROPY },
    reads: (_, name) => TARGET_OPTIONS[name as keyof typeof TARGET_OPTIONS],
    also: { step: "compute_advantages", option: null, names: ["kl_target"], reads: () => KL_TARGET_OPTIONS },
  },
  {
    title: "Losses of single completions",
    step: "train_preferences",
    option: "loss",
    entries: KTO_FORMS,
    reads: () => KTO_OPTIONS,
  },
  {
    title: "A loss to be recognised, not used",
    step: "train_preferences",
    option: "loss",
    entries: { kto_vanilla: KTO_VANILLA_METHOD },
    reads: () => ["beta", "detach_kl", "unsafe"],
  },
  { title: "Losses of pairs", step: "train_preferences", option: "dpo_loss", entries: DPO_LOSSES, reads: pairOptions },
  {
    title: "Divergences of pairs",
    step: "train_preferences",
    option: "f_divergence",
    entries: DIVERGENCES,
    reads: (_, name) => name === "alpha_divergence" ? ["f_divergence_alpha"] : [],
  },
  {
    title: "The critic",
    step: "update_critic",
    option: null,
    entries: { value },
    reads: () => ["value_clip", "aggregation", "updates_per_rollout", "minibatches"],
  },
  {
    title: "The reward model",
    step: "train_reward_model",
    option: null,
    entries: { reward_pair },
    reads: () => ["margin", "center_rewards"],
  },
  {
    title: "Fine-tuning",
    step: "fine_tune",
    option: null,
    entries: { cross_entropy },
    reads: () => ["loss_on", "packing", "batch_size"],
  },
  { title: "Rewards", step: "score_rewards", option: "rewards", listed: true, entries: REWARDS },
];

/** The presets of a step. */
export const PRESETS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  apply_update: LOSS_PRESETS,
  compute_advantages: ADVANTAGE_PRESETS,
};
