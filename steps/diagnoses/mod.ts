/** Every diagnosis by its cause: the table that the doctor, the rules page and the tests read. @module */
import type { Diagnosis } from "./diagnosis.ts";
import allCompletionsMasked from "./all_completions_masked.ts";
import allCorrectSaturated from "./all_correct_saturated.ts";
import allIncorrectRewardFloor from "./all_incorrect_reward_floor.ts";
import benignZeroLoss from "./benign_zero_loss.ts";
import brokenGradientPath from "./broken_gradient_path.ts";
import constantReward from "./constant_reward.ts";
import coordinatesMismatch from "./coordinates_mismatch.ts";
import criticNotLearning from "./critic_not_learning.ts";
import entropyCollapse from "./entropy_collapse.ts";
import excessiveClipping from "./excessive_clipping.ts";
import flatRewardNoLearning from "./flat_reward_no_learning.ts";
import flippedPreferenceLabels from "./flipped_preference_labels.ts";
import forgetting from "./forgetting.ts";
import formatRewardNeverFires from "./format_reward_never_fires.ts";
import fp16Overflow from "./fp16_overflow.ts";
import garbledGeneration from "./garbled_generation.ts";
import gradientCheckpointingCutsGradient from "./gradient_checkpointing_cuts_gradient.ts";
import gradientSpikes from "./gradient_spikes.ts";
import greedySampling from "./greedy_sampling.ts";
import groupIntegrity from "./group_integrity.ts";
import groupSizeTooSmall from "./group_size_too_small.ts";
import identicalPreferencePairs from "./identical_preference_pairs.ts";
import invalidConfigValue from "./invalid_config_value.ts";
import invalidRewardValues from "./invalid_reward_values.ts";
import irreproducibleStep from "./irreproducible_step.ts";
import klExplosion from "./kl_explosion.ts";
import klNanIsolated from "./kl_nan_isolated.ts";
import ktoSingleClass from "./kto_single_class.ts";
import ktoVanillaLossNan from "./kto_vanilla_loss_nan.ts";
import learningPlateau from "./learning_plateau.ts";
import learningRateTooHigh from "./learning_rate_too_high.ts";
import learningRateZero from "./learning_rate_zero.ts";
import lengthCollapse from "./length_collapse.ts";
import lengthInflation from "./length_inflation.ts";
import likelihoodDisplacement from "./likelihood_displacement.ts";
import modeCollapse from "./mode_collapse.ts";
import nanLoss from "./nan_loss.ts";
import negativeKlEstimate from "./negative_kl_estimate.ts";
import noSupervisedTokens from "./no_supervised_tokens.ts";
import noTrainableParameters from "./no_trainable_parameters.ts";
import nonFiniteWeights from "./non_finite_weights.ts";
import oldLogprobNan from "./old_logprob_nan.ts";
import overfitting from "./overfitting.ts";
import preferenceMarginBlowup from "./preference_margin_blowup.ts";
import repeatedTokenDegeneration from "./repeated_token_degeneration.ts";
import resourceStall from "./resource_stall.ts";
import rewardCollapse from "./reward_collapse.ts";
import rewardHacking from "./reward_hacking.ts";
import rewardImbalance from "./reward_imbalance.ts";
import rewardParserMismatch from "./reward_parser_mismatch.ts";
import rewardTaskMismatch from "./reward_task_mismatch.ts";
import rolloutTrainerMismatch from "./rollout_trainer_mismatch.ts";
import trainingDivergence from "./training_divergence.ts";
import truncatedCompletions from "./truncated_completions.ts";
import updateTooSmall from "./update_too_small.ts";
import wrongReferenceModel from "./wrong_reference_model.ts";
import zeroRewardVariance from "./zero_reward_variance.ts";

export const DIAGNOSES = {
  all_completions_masked: allCompletionsMasked,
  all_correct_saturated: allCorrectSaturated,
  all_incorrect_reward_floor: allIncorrectRewardFloor,
  benign_zero_loss: benignZeroLoss,
  broken_gradient_path: brokenGradientPath,
  constant_reward: constantReward,
  coordinates_mismatch: coordinatesMismatch,
  critic_not_learning: criticNotLearning,
  entropy_collapse: entropyCollapse,
  excessive_clipping: excessiveClipping,
  flat_reward_no_learning: flatRewardNoLearning,
  flipped_preference_labels: flippedPreferenceLabels,
  forgetting: forgetting,
  format_reward_never_fires: formatRewardNeverFires,
  fp16_overflow: fp16Overflow,
  garbled_generation: garbledGeneration,
  gradient_checkpointing_cuts_gradient: gradientCheckpointingCutsGradient,
  gradient_spikes: gradientSpikes,
  greedy_sampling: greedySampling,
  group_integrity: groupIntegrity,
  group_size_too_small: groupSizeTooSmall,
  identical_preference_pairs: identicalPreferencePairs,
  invalid_config_value: invalidConfigValue,
  invalid_reward_values: invalidRewardValues,
  irreproducible_step: irreproducibleStep,
  kl_explosion: klExplosion,
  kl_nan_isolated: klNanIsolated,
  kto_single_class: ktoSingleClass,
  kto_vanilla_loss_nan: ktoVanillaLossNan,
  learning_plateau: learningPlateau,
  learning_rate_too_high: learningRateTooHigh,
  learning_rate_zero: learningRateZero,
  length_collapse: lengthCollapse,
  length_inflation: lengthInflation,
  likelihood_displacement: likelihoodDisplacement,
  mode_collapse: modeCollapse,
  nan_loss: nanLoss,
  negative_kl_estimate: negativeKlEstimate,
  no_supervised_tokens: noSupervisedTokens,
  no_trainable_parameters: noTrainableParameters,
  non_finite_weights: nonFiniteWeights,
  old_logprob_nan: oldLogprobNan,
  overfitting: overfitting,
  preference_margin_blowup: preferenceMarginBlowup,
  repeated_token_degeneration: repeatedTokenDegeneration,
  resource_stall: resourceStall,
  reward_collapse: rewardCollapse,
  reward_hacking: rewardHacking,
  reward_imbalance: rewardImbalance,
  reward_parser_mismatch: rewardParserMismatch,
  reward_task_mismatch: rewardTaskMismatch,
  rollout_trainer_mismatch: rolloutTrainerMismatch,
  training_divergence: trainingDivergence,
  truncated_completions: truncatedCompletions,
  update_too_small: updateTooSmall,
  wrong_reference_model: wrongReferenceModel,
  zero_reward_variance: zeroRewardVariance,
} as const satisfies Record<string, Diagnosis>;

export type Cause = keyof typeof DIAGNOSES;
