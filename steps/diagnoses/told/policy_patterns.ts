/** Which symptoms together are a cause of rewards, policy and numbers in reinforcement learning. @module */
import { isReinforcement } from "../view/groups.ts";
import { printedOnes } from "../view/on_records.ts";
import type { RunView } from "../view/run_view.ts";
import { BROKEN_TEXT, FALLS, mayBeReinforcement, type Patterns } from "./pattern.ts";
import { claimed } from "./claimed.ts";
import { each, PAID } from "./symptom.ts";
import { half, highRate, tinyRate } from "./telling_options.ts";

/** The gradient of the very first record is not finite: what was loaded is broken, whatever it computes in. */
const isBadFromStart = (view: RunView) => {
  const first = view.column("grad_norm")[0] ?? null;
  return first !== null && !Number.isFinite(first) && !view.isTold("grad_norm", 0) && view.column("loss")[0] === 0;
};

/** One or two records, and nothing said of more: an untrained policy that finds no reward yet prints the same. */
const isBeginning = (view: RunView) => {
  const printed = printedOnes(view).length;
  return printed > 0 && printed <= FIRST_RECORDS &&
    !view.claims.some(({ counts, throughout, from }) => counts && (throughout || (from ?? 0) > FIRST_RECORDS));
};
const FIRST_RECORDS = 2;

const LONG = 100; // Train steps over which a policy that can be paid is paid once.

/** "Nothing is learned" is no reward of 0: the number is. */
const isPaidNothing = (view: RunView) => claimed(view, each(PAID, ["zero"])).some(({ value }) => value === 0);

/** The reward is said to be 0 over many train steps. */
const isLong = (view: RunView) =>
  claimed(view, each(PAID, ["zero"])).some(({ from, to, throughout }) =>
    to !== null && to - (from ?? 0) >= LONG || throughout && from !== null && from >= LONG
  );

export const POLICY_PATTERNS: Patterns = {
  fp16_overflow: [
    {
      all: [["loss_not_finite", "gradient_not_finite", "logprobs_not_finite", "weights_not_finite"]],
      none: ["nan_from_start"],
      options: half,
      when: (view) => !isBadFromStart(view),
      message: "It computes in fp16, and numbers leave its range",
      confirm: "run the same in bf16 or fp32",
    },
    {
      all: ["nan_from_start", "token_zero"],
      options: half,
      when: (view) => !isBadFromStart(view),
      message: "It computes in fp16, and what is sampled is NaN from the first train step on",
      confirm: "run the same in bf16 or fp32; where it is NaN there too, the weights are",
    },
  ],
  critic_not_learning: [
    {
      all: ["critic_nan"],
      none: ["loss_not_finite", "gradient_not_finite", "logprobs_not_finite", "critic_not_finite", "nan_from_start"],
      when: isReinforcement,
      message: "The critic's loss is NaN, and nothing says that the policy's is",
      confirm: "print the critic's gradient and its weights before the first update",
    },
    {
      all: ["critic_off", [...FALLS, "reward_flat", "goal_flat", "reward_zero"]],
      none: ["loss_not_finite", "kl_grows", "reward_rises", "goal_rises"],
      when: isReinforcement,
      message: "The critic runs away, and what is paid with it",
      confirm: "print its explained variance, its learning rate and the scale of the returns",
    },
    {
      all: ["critic_still", ["reward_flat", "goal_flat"]],
      none: ["reward_zero", "spread_zero", "gradient_zero", "reward_rises", "goal_rises"],
      when: isReinforcement,
      message: "The critic stays where it began, and the reward too",
      confirm: "print its explained variance and the gradient of its head",
    },
  ],
  kl_explosion: [
    {
      all: ["kl_grows", [
        ...FALLS,
        ...BROKEN_TEXT,
        "reward_zero",
        "reward_flat",
        "loss_rises",
        "truncated",
        "length_grows",
      ]],
      none: ["reward_rises", "goal_rises"],
      when: mayBeReinforcement,
      message: "The KL to the reference grows without end while the run gets worse",
    },
  ],
  all_completions_masked: [{
    all: ["masked", ["truncated", "spread_there"]],
    when: mayBeReinforcement,
    message: "Every token is masked out of the loss",
  }],
  zero_reward_variance: [{
    all: ["spread_zero", ["gradient_zero", "reward_flat"]],
    none: ["identical", "truncated", "reward_zero", ...BROKEN_TEXT, "loss_not_finite", "entropy_falls"],
    when: (view) => mayBeReinforcement(view) && !isBeginning(view),
    message: "Groups tie, so that no advantage and no gradient is left",
    confirm: "print the reward and a few completions of one group",
  }, {
    all: ["spread_zero", "reward_between"],
    none: ["spread_there", "reward_rises", "identical", "truncated", ...BROKEN_TEXT, "loss_not_finite"],
    when: mayBeReinforcement,
    message: "Nearly all groups tie, some all right and some all wrong",
  }, {
    all: ["groups_filtered"],
    message: "Dynamic sampling finds no group whose rewards differ, and gives up",
    confirm: "print the reward of a few groups: all right, all wrong, or a constant",
  }],
  constant_reward: [{ all: ["reward_code_constant"], message: "The reward function ignores the text" }],
  reward_collapse: [{
    all: ["reward_falls", ["gradient_large", "loss_rises"]],
    none: ["kl_grows", "goal_rises"],
    when: mayBeReinforcement,
    message: "Gradient or loss explode, and the reward falls",
  }, {
    all: ["reward_collapses"],
    none: ["kl_grows", "goal_rises"],
    isFirm: true,
    when: mayBeReinforcement,
    message: "The reward falls far below its best",
  }],
  entropy_collapse: [
    {
      all: ["entropy_gone", "entropy_falls", "kl_zero"],
      none: ["reward_rises", "goal_rises", "masked"],
      when: mayBeReinforcement,
      message: "The entropy is all but gone, and the policy does not leave its reference",
    },
    {
      all: ["entropy_gone", ["length_grows", "truncated", "repeats", "reward_flat", "goal_flat", ...FALLS]],
      none: ["reward_rises", "goal_rises", "masked"],
      when: mayBeReinforcement,
      message: "The entropy is all but gone",
    },
    {
      all: ["entropy_falls", [
        "reward_flat",
        "spread_zero",
        "goal_flat",
        ...FALLS,
        "identical",
        "repeats",
        "same_everywhere",
      ]],
      none: ["reward_rises", "goal_rises", "masked"],
      when: mayBeReinforcement,
      message: "The entropy is all but gone, and nothing is gained by it",
    },
  ],
  all_incorrect_reward_floor: [{
    all: ["reward_zero", "readable"],
    none: ["truncated", "answers_right", "identical", "reward_rises", ...FALLS, ...BROKEN_TEXT],
    when: mayBeReinforcement,
    message: "Readable completions are wrong all along, and nothing is paid",
  }, {
    all: ["reward_zero", ["spread_zero", "loss_zero", "gradient_zero"]],
    none: [
      "truncated",
      "answers_right",
      "identical",
      "reward_rises",
      "reward_not_finite",
      "loss_not_finite",
      "gradient_not_finite",
      "no_parameters",
      "parts_frozen",
      ...FALLS,
      ...BROKEN_TEXT,
    ],
    when: (view) => mayBeReinforcement(view) && isLong(view),
    message: "Nothing is paid, and nothing is learned, over many train steps",
    confirm: "read ten completions beside their gold answers and rewards",
  }, {
    all: ["format_learned", "answers_unpaid"],
    none: ["truncated", "answers_right", "goal_rises", ...FALLS, ...BROKEN_TEXT],
    when: mayBeReinforcement,
    message: "The format is learned, and no answer is paid",
    confirm: "read ten completions beside their gold answers and rewards: a parser that fails looks the same",
  }],
  all_correct_saturated: [{
    all: ["reward_top", ["reward_flat", "gradient_zero", "spread_zero", "loss_zero"]],
    none: [
      "goal_falls",
      "goal_rises",
      "reward_rises",
      "texts_worsen",
      "identical",
      ...FALLS,
      ...BROKEN_TEXT,
    ],
    when: (view) => mayBeReinforcement(view) && !isPaidNothing(view),
    message: "Every completion gets the top reward: nothing is left to learn",
    confirm: "print the share of groups without spread, and a held-out score",
  }],
  reward_parser_mismatch: [{
    all: ["reward_zero", "answers_right"],
    none: ["truncated", "reward_rises", ...BROKEN_TEXT],
    when: mayBeReinforcement,
    message: "Right answers are paid nothing",
  }],
  negative_kl_estimate: [{
    all: ["kl_negative", "kl_grows"],
    when: mayBeReinforcement,
    message: "The KL is negative, and more and more so",
  }],
  invalid_reward_values: [{ all: ["reward_not_finite"], when: mayBeReinforcement, message: "Rewards are NaN" }],
  update_too_small: [{
    all: [["reward_flat", "goal_flat", "loss_flat", "policy_still"]],
    none: ["gradient_zero", "spread_zero", ...FALLS],
    options: tinyRate,
    message: "The learning rate is too small for anything to move",
  }],
  rollout_trainer_mismatch: [
    {
      all: ["logprobs_differ"],
      none: ["logprobs_not_finite"],
      when: mayBeReinforcement,
      message: "The sampler's log-probs are not those of the trainer",
    },
  ],
  learning_rate_too_high: [
    {
      all: ["kl_grows", [...FALLS, "loss_rises", "loss_not_finite", "gradient_large", ...BROKEN_TEXT]],
      options: highRate,
      message: "The learning rate is far above the usual one, and the policy runs off",
    },
    {
      all: [[...FALLS, "loss_rises", "loss_not_finite", "gradient_large", "kl_grows", ...BROKEN_TEXT]],
      options: highRate,
      message: "The learning rate is far above the usual one, and the run breaks",
    },
  ],
  training_divergence: [{
    all: ["loss_rises"],
    when: (view) => !isReinforcement(view),
    none: [
      "loss_falls",
      "loss_drops_to_zero",
      "eval_loss_rises",
      "reward_rises",
      "logprobs_differ",
      "kl_grows",
      "reward_falls",
      ...BROKEN_TEXT,
    ],
    message: "The loss grows instead of falling",
  }, {
    all: ["entropy_rises", ["gradient_large", "gradient_spikes", "worse", "texts_worsen"]],
    when: isReinforcement,
    none: ["reward_rises", "goal_rises", "logprobs_differ", "kl_grows", "reward_falls", ...BROKEN_TEXT],
    message: "The entropy grows, and the updates or the answers run off with it",
  }],
};
