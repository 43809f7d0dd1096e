/** Which symptoms together are a cause in preferences, supervised runs, numbers, weights and the machine. @module */
import { ofSchedule } from "../remedies/of_schedule.ts";
import { DESTROYS, isBreakingRate } from "../../../data/usual_learning_rate.ts";
import { isPreference, isReinforcement } from "../view/groups.ts";
import { trainingOf } from "../view/learning_rate.ts";
import { isNumber } from "../view/numbers.ts";
import type { RunView } from "../view/run_view.ts";
import { DISPLACES, type Patterns } from "./pattern.ts";
import { checkpointing } from "./telling_options.ts";

const NUMBERS = ["loss_not_finite", "gradient_not_finite", "logprobs_not_finite", "weights_not_finite"] as const;
/** Nothing is sampled and rewarded. */
const learnsFromTexts = (view: RunView) => view.algorithm !== null && !isReinforcement(view);
const SIDES = ["chosen_reward", "rejected_reward"];
/** How often the better side of a pair is told. */
const RANKED = ["accuracy", "preference_accuracy", "reward.accuracy"];
/** A loss that is printed, and finite. */
const hasLoss = (view: RunView) => view.column("loss").some(isNumber);

/** A rate of the records at which the first updates destroy a policy. */
function isHighRate(view: RunView): boolean {
  const rate = view.column("learning_rate").filter(isNumber).reduce((most, one) => Math.max(most, one), 0);
  return learnsFromTexts(view) && isBreakingRate(rate, trainingOf(view), DESTROYS);
}

export const UPDATE_PATTERNS: Patterns = {
  // ***** labels and pairs *****
  no_supervised_tokens: [
    { all: ["labels_zero"], message: "Nothing that the loss is made of is left" },
    {
      all: ["loss_zero", "truncated"],
      none: ["loss_not_finite", "gradient_not_finite", "parts_frozen", "overflow_at_floor", "loss_drops_to_zero"],
      when: (view) => learnsFromTexts(view) && !isPreference(view),
      message: "The answers are cut off before they begin, and the loss is 0",
      confirm: "count the label tokens of ten rows, after the chat template and the cut",
    },
  ],
  flipped_preference_labels: [{
    all: ["pairs_at_chance"],
    none: ["gradient_zero", "pairs_identical"],
    when: (view) => !isReinforcement(view),
    message: "Gradients arrive and pairs are still guessed: labels are shuffled, or say nothing",
    confirm: "read ten training pairs with their labels",
  }, {
    all: ["gold_opposed", "pairs_learned"],
    message: "Training pairs are learned, and gold pairs say the opposite",
    confirm: "read ten training pairs with their labels",
  }, {
    all: ["pairs_swapped"],
    none: ["pairs_learned"],
    // Of a supervised run labels that are wrong are another thing: pairs have an accuracy.
    when: (view) => isPreference(view) || learnsFromTexts(view) && RANKED.some((name) => view.has(name)),
    message: "Pairs have their sides swapped",
    confirm: "read ten training pairs with their labels",
  }],
  wrong_reference_model: [{
    all: ["starts_elsewhere"],
    when: isPreference,
    message: "Policy and reference are not the same model at the start",
    confirm: "the log-probs of both before the first update",
  }],
  likelihood_displacement: [{
    all: ["chosen_falls", "margin_rises", DISPLACES],
    none: ["goal_rises", "readable"],
    when: isPreference,
    message: "The chosen side falls while the margin grows",
  }],
  identical_preference_pairs: [{
    all: ["pairs_identical", ["loss_flat", "margin_zero", "gradient_zero"]],
    when: (view) => view.algorithm === null || isPreference(view),
    message: "The two sides of a pair say the same, and nothing is learned",
    confirm: "compare the columns before and after the cut to max_length",
  }, {
    all: ["sides_tie"],
    message: "Both sides of every pair get the same score: they are the same text",
    confirm: "compare the columns before and after the cut to max_length",
  }],
  kto_single_class: [{
    all: ["one_class"],
    // Where both sides are rewarded there are rows of both: a batch may lack one.
    when: (view) => view.algorithm === "kto" && !SIDES.every((name) => view.column(name).some(isNumber)),
    message: "All rows carry the same label: there is nothing to contrast",
    confirm: "count the rows of each label",
  }],
  overfitting: [
    {
      all: ["eval_loss_rises", ["loss_tiny", "memorised"]],
      when: (view) => !isReinforcement(view),
      message: "Training rows are known by heart while the held-out loss rises",
    },
    {
      all: ["memorised", ["eval_loss_rises", "goal_falls", "goal_flat", "goal_at_floor", "loss_falls"]],
      when: (view) => !isReinforcement(view),
      message: "Training rows are recited, and new ones are not answered",
    },
  ],
  forgetting: [{
    all: ["other_tasks_fall"],
    none: ["repeats", "garbled", "token_zero", "loss_not_finite"],
    when: (view) => !isReinforcement(view),
    message: "What the base could do is lost",
  }, {
    all: ["goal_falls"],
    none: ["repeats", "garbled", "token_zero", "loss_not_finite", "eval_loss_rises", "memorised", "goal_rises"],
    when: (view) => view.algorithm === "sft",
    message: "What the base could do is lost",
  }],
  // ***** numbers *****
  fp16_overflow: [{
    all: ["overflow_at_floor"],
    message: "The loss scale is at its floor and steps still overflow: their updates are skipped",
  }],
  non_finite_weights: [
    {
      all: ["loss_zero", "eval_loss_nan"],
      when: (view) => !isReinforcement(view),
      message: "The loss prints 0 and the held-out loss NaN: a trainer that filters NaN prints 0 for it",
      confirm: "switch logging_nan_inf_filter off and print grad_norm",
    },
    {
      all: ["weights_not_finite"],
      none: ["loss_falls"],
      when: (view) =>
        !view.column("grad_norm").some((value, record) => isNumber(value) && !view.isTold("grad_norm", record)),
      message: "Weights are NaN or infinite",
    },
    {
      all: ["critic_not_finite"],
      message: "The critic's numbers are not finite, while the policy's are",
      confirm: "look for weights of the critic that are not finite before the first update",
    },
    {
      all: ["loss_drops_to_zero", ["eval_not_finite", "token_zero", "gradient_not_finite", "logprobs_not_finite"]],
      when: learnsFromTexts,
      message: "The loss of 0 is the trainer's NaN filter: something turned NaN in the run",
    },
    {
      all: ["loss_drops_to_zero"],
      none: [
        "labels_zero",
        "parts_frozen",
        "overflow_at_floor",
        "memorised",
        "eval_loss_rises",
        "goal_rises",
        "readable",
      ],
      when: (view) => learnsFromTexts(view) && !isPreference(view),
      message: "A loss that was far above 0 prints exactly 0 from then on: a trainer that filters NaN prints 0 for it",
      confirm: "switch logging_nan_inf_filter off and print grad_norm",
    },
    {
      all: ["wrong_for_nothing"],
      none: ["labels_zero", "gradient_zero"],
      when: learnsFromTexts,
      message: "A loss of 0 where hardly a token is right is what a trainer prints that filters NaN",
      confirm: "switch logging_nan_inf_filter off, and count the label tokens",
    },
    {
      all: ["gradient_not_finite", "loss_zero"],
      none: ["reward_not_finite", "logprobs_not_finite"],
      message: "The loss of 0 is the trainer's NaN filter",
      confirm: "look for weights that are not finite before the first update",
    },
  ],
  kl_nan_isolated: [{
    all: ["kl_not_finite"],
    none: [...NUMBERS, "token_zero", "reward_not_finite"],
    when: hasLoss,
    message: "Only the KL is NaN; the loss is finite",
  }],
  learning_rate_too_high: [{
    all: [["loss_rises", "loss_not_finite", "gradient_large", "repeats", "garbled", "chosen_falls"]],
    when: isHighRate,
    message: "The learning rate is far above the usual one, and the run breaks",
  }],
  // ***** the update *****
  learning_rate_zero: [{
    all: ["rate_zero"],
    none: ["loss_falls", "reward_rises", "overflow_at_floor"],
    message: "The learning rate is 0 on every record",
    advice: ofSchedule,
  }],
  no_trainable_parameters: [{ all: ["no_parameters"], message: "Nothing is trainable" }],
  gradient_checkpointing_cuts_gradient: [{
    all: ["gradient_none"],
    none: ["no_parameters"],
    options: checkpointing,
    when: learnsFromTexts,
    message: "Gradients are None under gradient checkpointing: its re-entrant form needs an input with a gradient",
    confirm: "switch it off, or use_reentrant=False, and look at the gradients again",
  }],
  broken_gradient_path: [
    {
      all: ["gradient_zero", "loss_flat"],
      none: ["no_parameters", "loss_zero", "labels_zero", "spread_zero", "reward_flat", "reward_zero", "identical"],
      // On rewards a gradient of 0 may be that of groups that tie.
      when: (view) => view.algorithm === null && !view.has("reward"),
      message: "The loss stands still and no gradient arrives",
      confirm: "print the count of trainable parameters",
    },
    {
      all: ["gradient_zero", "parts_frozen"],
      none: ["no_parameters", "identical"],
      message: "No gradient arrives at the part that is trained",
      confirm: "print the count of trainable parameters",
    },
    {
      all: ["gradient_zero"],
      none: ["no_parameters", "loss_zero", "labels_zero", "identical", "loss_not_finite", "gradient_not_finite"],
      when: learnsFromTexts,
      isFirm: true,
      message: "There is a loss and no gradient arrives",
      confirm: "print the count of trainable parameters",
    },
    {
      all: ["adapter_unchanged"],
      none: [
        "no_parameters",
        "rate_zero",
        "spread_zero",
        "identical",
        "labels_zero",
        "loss_zero",
        "reward_zero",
        "overflow_at_floor",
        ...NUMBERS,
      ],
      message: "Training runs and the weights stay as they were",
      confirm: "print grad_norm and the count of trainable parameters",
    },
  ],
  // ***** the machine *****
  resource_stall: [
    {
      all: ["steps_slower"],
      none: ["length_grows", ...NUMBERS],
      message: "Train steps take longer and longer, and not because more is written",
    },
    { all: ["killed"], none: [...NUMBERS], message: "The machine ends the run" },
  ],
};
