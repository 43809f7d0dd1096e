/** Options of the objectives of `apply_update`, and their names in other systems. @module */
import type { Option } from "./option.ts";

const A = "actor_rollout_ref.actor.", P = `${A}policy_loss.`;

export const OBJECTIVE_OPTIONS = {
  ratio_cap: {
    about: "upper bound of the ratio where the advantage is negative, or of the weight (CISPO, DPPO)",
    names: { trl: ["delta"], verl: [`${A}clip_ratio_c`], openrlhf: ["actor.dual_clip", "dual_clip"], "visual-rft": [] },
  },
  temperature_positive: {
    about: "how steeply SAPO's gate closes for positive advantages",
    names: { trl: ["sapo_temperature_pos"], verl: [`${A}tau_pos`] },
  },
  temperature_negative: {
    about: "how steeply SAPO's gate closes for other advantages",
    names: { trl: ["sapo_temperature_neg"], verl: [`${A}tau_neg`] },
  },
  k_positive: { about: "VESPO: power of the ratio, advantage not negative", names: { trl: ["vespo_k_pos"] } },
  lambda_positive: { about: "VESPO: decay in the ratio, advantage not negative", names: { trl: ["vespo_lambda_pos"] } },
  k_negative: { about: "VESPO: power of the ratio, advantage negative", names: { trl: ["vespo_k_neg"] } },
  lambda_negative: { about: "VESPO: decay in the ratio, advantage negative", names: { trl: ["vespo_lambda_neg"] } },
  dro_beta: { about: "DRO: weight of the squared log-ratio", names: { verl: [`${P}dro_beta`] } },
  cov_low: {
    about: "Clip-Cov: covariance above which a token may lose its gradient",
    names: { verl: [`${P}clip_cov_lb`] },
  },
  cov_high: { about: "Clip-Cov: covariance below which it may", names: { verl: [`${P}clip_cov_ub`] } },
  cov_fraction: {
    about: "share of tokens that Clip-Cov or KL-Cov takes",
    unit: "fraction of tokens",
    names: { verl: [`${P}clip_cov_ratio`, `${P}kl_cov_ratio`] },
  },
  cov_kl_coef: { about: "KL-Cov: cost of a nat of |log-ratio|", names: { verl: [`${P}ppo_kl_coef`] } },
  kl_times_ratio: { about: "multiply the KL by the ratio", names: { trl: ["use_bias_correction_kl"] } },
  top_entropy_fraction: {
    about: "share of tokens, those of highest entropy, that are learnt from",
    unit: "fraction of tokens",
    names: { trl: ["top_entropy_quantile"] },
  },
  off_policy_threshold: {
    about: "drop completions of negative advantage that the policy has left further",
    unit: "nats per token",
    names: { trl: ["off_policy_mask_threshold"] },
  },
  aggregation_norm: {
    about: "constant length that a completion's sum is divided by",
    unit: "tokens",
    names: { verl: [`${A}loss_scale_factor`] },
  },
} as const satisfies Record<string, Option>;
