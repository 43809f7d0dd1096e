/**
 * The names that TRL, verl and OpenRLHF give to a loss, as settings of ours with that system's own defaults: plain names
 * are the papers', `trl/…`, `verl/…` and `openrlhf/…` what the system computes under its name.
 * @module
 */
import type { Aggregation } from "./aggregations.ts";
import type { KlBounds, KlEstimator } from "./kl.ts";

/** ε of PPO (section 6.1), the default of TRL, verl and OpenRLHF. */
export const CLIP = 0.2;

/** verl's and OpenRLHF's bound of a log-ratio, nats; verl's of GSPO's. */
const LOG_RATIO = 20, GSPO_LOG_RATIO = 10;

type Form = "k1" | "k2" | "k3" | "abs";

/** How a system makes its KL. */
interface KlPreset {
  readonly estimator: KlEstimator;
  readonly times_ratio?: true;
  /** By form of the estimator. */
  readonly bounds?: Readonly<Partial<Record<Form, KlBounds>>>;
  /** How its tokens add up where they do otherwise than the objective's. */
  readonly aggregation?: Aggregation;
}

export interface LossPreset {
  /** The objective, by its name in ROLLOUT_OBJECTIVES. */
  readonly loss: string;
  readonly aggregation: Aggregation;
  /** The objective's own options. */
  readonly options: Readonly<Record<string, number | string | null>>;
  readonly kl?: KlPreset;
  /** Tokens of the entropy bonus add up as the objective's do; by token_mean where absent. */
  readonly entropy_as_objective?: true;
  /** False: completions without a counted token do not count, and a loss of no token is NaN. */
  readonly counts_empty?: false;
  /** Leaves out what stands on padding, or completions without a token, instead of multiplying them by 0. */
  readonly drops_padding?: true;
  /** Leaves ratios on padding as they come. */
  readonly raw_padding?: true;
}

/** The objective with the bounds of PPO. */
const ppo = (aggregation: Aggregation, clip_high: number = CLIP): LossPreset => ({
  loss: "clipped",
  aggregation,
  options: { clip_low: CLIP, clip_high },
});

const TRL_KL: KlPreset = { estimator: "k3", times_ratio: true };

/** TRL 1.16 GRPOConfig: epsilon 0.2, the KL times the ratio. */
const trl = (aggregation: Aggregation, loss = "clipped", options: LossPreset["options"] = {}): LossPreset => ({
  loss,
  aggregation,
  options: loss === "clipped" ? { clip_low: CLIP, clip_high: CLIP, ...options } : options,
  kl: TRL_KL,
});

const VERL_KL: KlPreset = { estimator: "k3", bounds: { k3: { difference: LOG_RATIO, value: 10 } } };

/** verl's `actor` group: what it computes on padding is left out of sums over tokens. */
const verl = (
  loss: string,
  options: LossPreset["options"],
  { aggregation = "token_mean", own = false }: { readonly aggregation?: Aggregation; readonly own?: boolean } = {},
): LossPreset => ({
  loss,
  aggregation,
  options,
  kl: own ? { ...VERL_KL, aggregation: "token_mean" } : VERL_KL,
  ...(own ? {} : { entropy_as_objective: true }),
  counts_empty: false,
  drops_padding: true,
});

const BOTH = { clip_low: CLIP, clip_high: CLIP }, BOUNDED = { log_ratio_bound: LOG_RATIO };
const DUAL = { clip_on: "loss" } as const, OWN = { aggregation: "sequence_mean", own: true } as const;
const ESTIMATE = { difference: null, value: 10 };

/** OpenRLHF's command line: no dual clip, KL estimates within ±10. */
const openrlhf = (aggregation: Aggregation, options: LossPreset["options"]): LossPreset => ({
  loss: "clipped",
  aggregation,
  options: { ...BOTH, ...DUAL, ...options },
  kl: { estimator: "k1", bounds: { k1: ESTIMATE, k2: ESTIMATE, k3: ESTIMATE } },
  counts_empty: false,
  raw_padding: true,
});

export const LOSS_PRESETS = {
  grpo: ppo("sequence_mean"),
  bnpo: ppo("token_mean"),
  dr_grpo: ppo("sequence_sum_norm"),
  dapo: ppo("rollout_token_mean", 0.28),
  vanilla: { loss: "clipped", aggregation: "token_mean", options: { ...BOTH, ratio_cap: 3 } },
  gspo: {
    loss: "clipped",
    aggregation: "sequence_mean",
    options: { clip_low: 3e-4, clip_high: 4e-4, ratio_level: "sequence" },
  },
  "trl/grpo": trl("sequence_mean"),
  "trl/bnpo": trl("token_mean"),
  "trl/dr_grpo": trl("sequence_sum_norm"),
  "trl/dapo": trl("rollout_token_mean"),
  "trl/luspo": trl("sequence_sum"),
  "trl/cispo": trl("rollout_token_mean", "cispo", { clip_low: null, ratio_cap: CLIP }),
  "trl/sapo": trl("sequence_mean", "sapo", { temperature_positive: 1, temperature_negative: 1.05 }),
  "trl/vespo": trl("rollout_token_mean", "vespo", {
    k_positive: 2,
    lambda_positive: 3,
    k_negative: 3,
    lambda_negative: 2,
  }),
  "trl/rloo": trl("completion_mean", "clipped", { ratio_level: "sequence_sum" }),
  "verl/vanilla": verl("clipped", { ...BOTH, ...DUAL, ...BOUNDED, ratio_cap: 3 }),
  "verl/gspo": verl(
    "clipped",
    { ...BOTH, ...DUAL, ratio_level: "sequence_token", log_ratio_bound: GSPO_LOG_RATIO },
    OWN,
  ),
  "verl/sapo": verl("sapo", { temperature_positive: 1, temperature_negative: 1.05, ...BOUNDED }, OWN),
  "verl/cispo": verl("cispo", { ...BOTH, ...BOUNDED }),
  "verl/gpg": verl("policy_gradient", {}),
  "verl/reinforce": verl("policy_gradient", BOUNDED),
  "verl/dppo_tv": verl("dppo", { divergence: "tv", ...BOTH, ...BOUNDED, ratio_cap: 3 }),
  "verl/dppo_kl": verl("dppo", { divergence: "kl", ...BOTH, ...BOUNDED, ratio_cap: 3 }),
  "verl/dro": verl("dro", {}),
  "verl/clip_cov": verl("clip_cov", { ...BOTH, cov_fraction: 2e-4, cov_low: 1, cov_high: 5 }),
  "verl/kl_cov": verl("kl_cov", { cov_fraction: 2e-4, cov_kl_coef: 0.1 }),
  "verl/geo_mean": { ...verl("geo_mean", BOTH, OWN), counts_empty: undefined },
  "openrlhf/ppo": openrlhf("token_mean", BOUNDED),
  "openrlhf/gspo": openrlhf("sequence_mean", { ratio_level: "sequence" }),
} as const satisfies Record<string, LossPreset>;

export type LossPresetName = keyof typeof LOSS_PRESETS;
