/**
 * What is lost of a run from the onset of its first finding on, cause by cause: the one definition of "taught nothing".
 *
 * A rollout is lost as a whole where the cause means that nothing is learned any more, or the wrong thing; else the share
 * that the log shows: groups without spread, completions cut off, tokens clipped, train steps that were hit.
 * @module
 */

/** How a loss is measured, and what it is called after "45 % of the rollouts". */
export const WASTES = {
  /** Weights do not move, moves lead nowhere, or what was learned is lost again: every rollout. */
  all: { of: "rollouts", said: "taught nothing" },
  /** The policy learns, and not what the task wants: every rollout. */
  wrong: { of: "rollouts", said: "taught something else than the task" },
  /** Advantages are 0 in groups whose rewards are all equal: their share. */
  flat: { of: "rollouts", said: "taught nothing" },
  /** A completion without an end is judged by what it could not finish: the share at the cap. */
  cut: { of: "rollouts", said: "were cut off before their end" },
  /** A clipped ratio has no gradient: the share of the tokens. */
  clipped: { of: "tokens", said: "were clipped and taught nothing" },
  /** Tokens beyond the mean length of the onset: what the completions grew by without gain. */
  longer: { of: "tokens", said: "brought nothing" },
  /** Only the train steps that the finding lists. */
  listed: { of: "train steps", said: "were hit" },
  /** Time beyond the median train step of before. */
  slow: { of: "hours", said: "were spent waiting" },
  /** It costs nothing that a log shows. */
  none: null,
} as const;

export type Waste = keyof typeof WASTES;

/** Causes by what they waste; one that is in none of the lists wastes the groups without spread. */
const CAUSES: Readonly<Partial<Record<Waste, readonly string[]>>> = {
  all: [
    // nothing can move
    "no_trainable_parameters",
    "gradient_checkpointing_cuts_gradient",
    "no_supervised_tokens",
    "learning_rate_zero",
    "broken_gradient_path",
    "update_too_small",
    "all_completions_masked",
    "identical_preference_pairs",
    // weights or log-probs are broken
    "kto_vanilla_loss_nan",
    "fp16_overflow",
    "nan_loss",
    "non_finite_weights",
    "old_logprob_nan",
    "training_divergence",
    "learning_rate_too_high",
    // what is sampled has no signal left
    "garbled_generation",
    "entropy_collapse",
    "mode_collapse",
    "repeated_token_degeneration",
    "length_collapse",
    "reward_collapse",
    "flat_reward_no_learning",
    "learning_plateau",
  ],
  wrong: [
    "reward_hacking",
    "kl_explosion",
    "reward_imbalance",
    "reward_task_mismatch",
    "reward_parser_mismatch",
    "coordinates_mismatch",
    "flipped_preference_labels",
    "kto_single_class",
    "wrong_reference_model",
    "rollout_trainer_mismatch",
    "likelihood_displacement",
    "preference_margin_blowup",
    "overfitting",
    "forgetting",
  ],
  cut: ["truncated_completions"],
  clipped: ["excessive_clipping"],
  longer: ["length_inflation"],
  listed: ["gradient_spikes"],
  slow: ["resource_stall"],
  none: [
    "benign_zero_loss",
    "irreproducible_step",
    "group_integrity",
    "invalid_config_value",
    "negative_kl_estimate",
    "kl_nan_isolated",
    "critic_not_learning",
  ],
};

/** What a cause wastes. */
export function wasteOf(cause: string): Waste {
  const named = Object.entries(CAUSES) as [Waste, readonly string[]][];
  return named.find(([, causes]) => causes.includes(cause))?.[0] ?? "flat";
}
