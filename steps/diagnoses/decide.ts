/**
 * The order of decisions: first causes before their after-effects.
 *
 * NaN comes before lengths at the cap, those before rewards at the floor, truncation before zero variance, zero variance
 * before zero gradient.
 * @module
 */
import type { Cause } from "./mod.ts";

const NO_SIGNAL = [
  "learning_plateau",
  "all_correct_saturated",
  "constant_reward",
  "all_incorrect_reward_floor",
  "zero_reward_variance",
  "group_size_too_small",
  "broken_gradient_path",
  "flat_reward_no_learning",
] as const satisfies readonly Cause[];
const NO_CONTRAST = [
  "learning_plateau",
  "zero_reward_variance",
  "broken_gradient_path",
  "flat_reward_no_learning",
  "update_too_small",
] as const satisfies readonly Cause[];
const REWARD = [
  ...NO_SIGNAL,
  "reward_collapse",
  "reward_parser_mismatch",
  "format_reward_never_fires",
  "coordinates_mismatch",
] as const satisfies readonly Cause[];
/** A run that no longer gets better, whatever keeps it from it. */
const STANDS_STILL = ["learning_plateau", "flat_reward_no_learning"] as const satisfies readonly Cause[];
const TEXT = [
  "repeated_token_degeneration",
  "mode_collapse",
  "entropy_collapse",
  "truncated_completions",
  "length_collapse",
  "length_inflation",
  "all_completions_masked",
  "garbled_generation",
] as const satisfies readonly Cause[];
const DRIFT = [
  "kl_explosion",
  "excessive_clipping",
  "reward_hacking",
  "update_too_small",
] as const satisfies readonly Cause[];
const NUMBERS = [
  "non_finite_weights",
  "old_logprob_nan",
  "nan_loss",
  "training_divergence",
  "kl_nan_isolated",
] as const satisfies readonly Cause[];

/** Every cause in the order in which it is named, with the causes it explains when both fire. */
export const ORDER: Record<Cause, readonly Cause[]> = {
  // ***** integrity *****
  irreproducible_step: [],
  group_integrity: [],
  // ***** nothing can be trained *****
  no_trainable_parameters: [
    ...NO_SIGNAL,
    "gradient_checkpointing_cuts_gradient",
    "update_too_small",
    "fp16_overflow",
    "resource_stall",
    "invalid_config_value",
  ],
  gradient_checkpointing_cuts_gradient: [...NO_SIGNAL, "resource_stall", "invalid_config_value"],
  no_supervised_tokens: [
    "invalid_config_value",
    "broken_gradient_path",
    "nan_loss",
    "non_finite_weights",
    "resource_stall",
    "learning_rate_zero",
    "identical_preference_pairs",
    "flipped_preference_labels",
  ],
  kto_single_class: ["kto_vanilla_loss_nan", "flipped_preference_labels", "invalid_config_value"],
  kto_vanilla_loss_nan: [...NUMBERS, "invalid_config_value"],
  invalid_config_value: [
    "identical_preference_pairs",
    "update_too_small",
    "broken_gradient_path",
    "excessive_clipping",
    "resource_stall",
  ],
  learning_rate_zero: ["update_too_small", "flat_reward_no_learning", "broken_gradient_path"],
  // ***** numbers *****
  invalid_reward_values: ["reward_collapse", ...NUMBERS, ...NO_SIGNAL, "learning_rate_too_high"],
  fp16_overflow: [
    ...NUMBERS,
    "learning_rate_too_high",
    "broken_gradient_path",
    // A scheduler that steps with the optimizer stays where it began.
    "learning_rate_zero",
    "group_size_too_small",
  ],
  preference_margin_blowup: [
    "likelihood_displacement",
    "training_divergence",
    "overfitting",
    "kl_explosion",
    "flipped_preference_labels",
  ],
  learning_rate_too_high: [
    ...NUMBERS,
    ...REWARD,
    ...TEXT,
    ...DRIFT,
    "gradient_spikes",
    "reward_imbalance",
    "forgetting",
    "overfitting",
    "rollout_trainer_mismatch",
    "likelihood_displacement",
  ],
  training_divergence: [
    "reward_collapse",
    "non_finite_weights",
    "old_logprob_nan",
    "nan_loss",
    ...DRIFT,
    "overfitting",
  ],
  nan_loss: ["reward_collapse", "non_finite_weights", "kl_nan_isolated", ...NO_SIGNAL],
  non_finite_weights: [
    "old_logprob_nan",
    "nan_loss",
    "kl_nan_isolated",
    ...REWARD,
    ...TEXT,
    ...DRIFT,
    "no_supervised_tokens",
    "resource_stall",
  ],
  old_logprob_nan: [
    "non_finite_weights",
    "nan_loss",
    "kl_nan_isolated",
    ...REWARD,
    ...TEXT,
    ...DRIFT,
    "resource_stall",
    "rollout_trainer_mismatch",
    "greedy_sampling",
  ],
  kl_nan_isolated: [],
  // ***** the task itself *****
  reward_task_mismatch: [...REWARD],
  garbled_generation: [
    ...REWARD,
    "repeated_token_degeneration",
    "truncated_completions",
    "entropy_collapse",
    "wrong_reference_model",
    "kl_explosion",
    "mode_collapse",
  ],
  coordinates_mismatch: [...NO_SIGNAL, "reward_parser_mismatch", "reward_hacking"],
  // ***** sampling *****
  greedy_sampling: [...REWARD, "entropy_collapse", "mode_collapse", "update_too_small", "rollout_trainer_mismatch"],
  all_completions_masked: [...REWARD, "truncated_completions", "entropy_collapse", "update_too_small"],
  rollout_trainer_mismatch: [
    "kl_explosion",
    "wrong_reference_model",
    "negative_kl_estimate",
    "truncated_completions",
    ...NO_SIGNAL,
    "excessive_clipping",
  ],
  negative_kl_estimate: ["rollout_trainer_mismatch", "kl_explosion"],
  wrong_reference_model: ["kl_explosion", "flat_reward_no_learning"],
  // ***** the policy *****
  forgetting: ["reward_hacking", "reward_collapse", "overfitting"],
  reward_hacking: [...REWARD, ...TEXT, "kl_explosion", "reward_imbalance", "overfitting"],
  kl_explosion: [...TEXT, ...NO_SIGNAL, "gradient_spikes", "excessive_clipping", "reward_collapse"],
  gradient_spikes: ["reward_collapse", "kl_explosion", ...STANDS_STILL],
  repeated_token_degeneration: [
    ...REWARD,
    "truncated_completions",
    "mode_collapse",
    "length_collapse",
    "length_inflation",
  ],
  mode_collapse: [...REWARD, "entropy_collapse", "truncated_completions", "length_collapse"],
  // A completion of one token has no entropy left: of two that begin together the length is looked at first.
  length_collapse: ["reward_collapse", ...NO_SIGNAL, "entropy_collapse"],
  entropy_collapse: ["reward_collapse", ...NO_SIGNAL, "truncated_completions", "length_collapse"],
  excessive_clipping: ["reward_collapse", "gradient_spikes", ...STANDS_STILL],
  // ***** the signal *****
  truncated_completions: [...REWARD, "length_inflation"],
  length_inflation: [...STANDS_STILL],
  reward_imbalance: [...NO_SIGNAL, "length_inflation", "length_collapse", "truncated_completions", "kl_explosion"],
  reward_parser_mismatch: [...NO_SIGNAL, "format_reward_never_fires"],
  all_correct_saturated: [...NO_CONTRAST, "format_reward_never_fires", "group_size_too_small", "gradient_spikes"],
  // A gradient of 0 under a spread that other rewards have is no fault of the format, which is then not learned.
  format_reward_never_fires: NO_SIGNAL.filter((cause) => cause !== "broken_gradient_path"),
  constant_reward: [...NO_CONTRAST, "group_size_too_small"],
  all_incorrect_reward_floor: ["reward_collapse", ...NO_CONTRAST, "group_size_too_small", "gradient_spikes"],
  reward_collapse: [...NO_CONTRAST, "group_size_too_small"],
  group_size_too_small: ["zero_reward_variance", ...STANDS_STILL],
  zero_reward_variance: ["broken_gradient_path", ...STANDS_STILL, "update_too_small", "gradient_spikes"],
  identical_preference_pairs: ["update_too_small", "broken_gradient_path", "flipped_preference_labels"],
  flipped_preference_labels: ["likelihood_displacement", "overfitting", "reward_collapse", "kl_explosion"],
  likelihood_displacement: ["overfitting", "reward_collapse", "kl_explosion", "gradient_spikes"],
  // ***** the update *****
  broken_gradient_path: ["update_too_small", "flat_reward_no_learning", "format_reward_never_fires"],
  update_too_small: ["flat_reward_no_learning"],
  critic_not_learning: ["reward_collapse", "learning_plateau", "flat_reward_no_learning"],
  overfitting: ["reward_collapse"],
  learning_plateau: ["learning_rate_zero"],
  flat_reward_no_learning: [],
  resource_stall: [],
  benign_zero_loss: [],
};

/** The causes in the order of decisions. */
export const DECISION_ORDER = Object.keys(ORDER) as Cause[];
