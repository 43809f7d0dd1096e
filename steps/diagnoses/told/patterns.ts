/**
 * Which symptoms together are which cause, for runs that are told in few words or few records (CAUSES, "How much evidence a
 * name needs"). A single complaint names nothing: each pattern wants what sets its cause apart from those that look alike.
 * @module
 */
import type { Cause } from "../mod.ts";
import { isPreference, isReinforcement } from "../view/groups.ts";
import { isNearGreedyOption, NEAR_GREEDY } from "../view/near_greedy.ts";
import type { RunView, Setting } from "../view/run_view.ts";
import { asNumber, setting, settingNumber } from "../view/settings.ts";
import type { SymptomName } from "./symptoms.ts";

export interface Pattern {
  /** Symptoms that must be there: one of each list. */
  readonly all: readonly (SymptomName | readonly SymptomName[])[];
  readonly none?: readonly SymptomName[];
  /** Options that must be set as said; their rows are evidence. Null where they are not. */
  readonly options?: (view: RunView) => readonly Setting[] | null;
  readonly when?: (view: RunView) => boolean;
  readonly message: string;
  /** What is still not proved. */
  readonly confirm?: string;
}

const BROKEN_TEXT = ["garbled", "repeats", "token_zero", "same_everywhere", "empty"] as const;
const NO_SIGNAL = ["gradient_zero", "loss_zero", "reward_zero", "spread_zero", "reward_flat"] as const;
const FALLS = ["reward_falls", "goal_falls"] as const;

function nearGreedy(view: RunView): readonly Setting[] | null {
  const cold = view.settings.filter(({ option, value }) => {
    const number = asNumber(value);
    return isNearGreedyOption(option) && number !== null && NEAR_GREEDY[option](number);
  });
  return cold.length === 0 ? null : cold.slice(0, 2);
}

function half(view: RunView): readonly Setting[] | null {
  const found = view.settings.filter(({ name, value }) =>
    /(?:^|[._])fp16$/.test(name) && value !== false ||
    /dtype|precision|mixed/.test(name) && /fp16|(?<!b)float16|half|^f16/i.test(String(value))
  );
  return found.length === 0 ? null : found.slice(0, 1);
}

/** The gradient of the very first record is not finite: what was loaded is broken, whatever it computes in. */
const isBadFromStart = (view: RunView) => {
  const first = view.column("grad_norm")[0] ?? null;
  return first !== null && !Number.isFinite(first) && !view.isTold("grad_norm", 0) && view.column("loss")[0] === 0;
};

const beta = (view: RunView): readonly Setting[] | null => {
  const found = setting(view, "kl_coef");
  return found !== null && asNumber(found.value) === 0 ? [found] : null;
};

/** Rates from which each kind of training breaks as a rule: a hundred times what is usual for the whole model, ten for adapters. */
const HIGH_RATE = 5e-5, HIGH_SUPERVISED = 1e-3;

function highRate(view: RunView): readonly Setting[] | null {
  const found = setting(view, "learning_rate"), rate = settingNumber(view, "learning_rate");
  const limit = isReinforcement(view) || isPreference(view) ? HIGH_RATE : HIGH_SUPERVISED;
  return found !== null && rate !== null && rate >= limit ? [found] : null;
}

/** Nothing says that it is something else. */
const mayBeReinforcement = (view: RunView) => view.algorithm === null || isReinforcement(view);

/** Rates at which nothing moves in a run of a usual length: a hundredth of what is usual. */
const TINY_RATE = 5e-8;

function tinyRate(view: RunView): readonly Setting[] | null {
  const found = setting(view, "learning_rate"), rate = settingNumber(view, "learning_rate");
  return found !== null && rate !== null && rate > 0 && rate <= TINY_RATE ? [found] : null;
}

export const PATTERNS: Partial<Readonly<Record<Cause, readonly Pattern[]>>> = {
  // ***** sampling and text *****
  greedy_sampling: [
    {
      all: [["identical", "spread_zero", "gradient_zero", "loss_zero"]],
      options: nearGreedy,
      message: "Sampling is near-greedy, and the groups show it",
    },
    {
      all: ["identical", ["spread_zero", "gradient_zero", "loss_zero"]],
      none: ["entropy_falls", ...FALLS, "repeats", "garbled", "token_zero"],
      when: mayBeReinforcement,
      message: "The completions of a group are the same text, so that no advantage is left",
      confirm: "print temperature, top_p and top_k in force, and the entropy",
    },
  ],
  garbled_generation: [{
    all: ["garbled_early"],
    none: ["reward_rises", "loss_not_finite"],
    when: mayBeReinforcement,
    message: "The completions are noise before anything is learned",
    confirm: "sample the same prompts with the plain model outside of the trainer",
  }, {
    all: ["garbled", NO_SIGNAL],
    none: ["token_zero", ...FALLS, "kl_grows", "loss_rises", "reward_rises", "logprobs_not_finite", "loss_not_finite"],
    message: "The completions are noise, and nothing is paid or learned",
    confirm: "print one completion of the first train step",
  }],
  old_logprob_nan: [
    {
      all: ["token_zero", ["kl_not_finite", "logprobs_not_finite", "loss_not_finite", "gradient_not_finite"]],
      when: mayBeReinforcement,
      message: "Log-probs turned NaN and the sampler writes one character over and over",
    },
    {
      all: ["logprobs_not_finite", ["kl_not_finite", "loss_not_finite", "gradient_not_finite"]],
      when: mayBeReinforcement,
      message: "Old log-probs are NaN, and what is computed from them",
    },
    {
      all: ["token_zero"],
      when: mayBeReinforcement,
      message: "The completions are token 0 over and over, what a sampler writes for NaN logits",
      confirm: "print kl, entropy and grad_norm of the first such step",
    },
  ],
  repeated_token_degeneration: [
    { all: ["repeats"], none: ["token_zero", "identical"], message: "The completions repeat one phrase without end" },
  ],
  mode_collapse: [
    { all: ["same_everywhere"], none: ["token_zero"], message: "Every prompt gets the same completion" },
  ],
  truncated_completions: [
    {
      all: ["truncated", ["reward_zero", "spread_zero", "gradient_zero", "loss_zero", "reward_flat", "reward_falls"]],
      none: ["token_zero", "loss_not_finite", "kl_not_finite", "kl_grows"],
      when: mayBeReinforcement,
      message: "Completions are cut at the length cap before they answer",
    },
  ],
  // ***** numbers *****
  fp16_overflow: [
    {
      all: [["loss_not_finite", "gradient_not_finite", "logprobs_not_finite", "weights_not_finite"]],
      none: ["nan_from_start"],
      options: half,
      when: (view) => !isBadFromStart(view),
      message: "It computes in fp16, and numbers leave its range",
      confirm: "run the same in bf16 or fp32",
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
    when: mayBeReinforcement,
    message: "Groups tie, so that no advantage and no gradient is left",
    confirm: "print the reward and a few completions of one group",
  }, {
    all: ["spread_zero", "reward_between"],
    none: ["identical", "truncated", ...BROKEN_TEXT, "loss_not_finite"],
    when: mayBeReinforcement,
    message: "Nearly all groups tie, some all right and some all wrong",
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
    when: mayBeReinforcement,
    message: "The reward falls far below its best",
  }],
  entropy_collapse: [
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
      "eval_loss_rises",
      "reward_rises",
      "logprobs_differ",
      "kl_grows",
      "reward_falls",
      ...BROKEN_TEXT,
    ],
    message: "The loss grows instead of falling",
  }],
  // ***** signal *****
  reward_imbalance: [{
    all: ["reward_rises", "goal_at_floor"],
    none: ["kl_grows", ...FALLS],
    when: mayBeReinforcement,
    message: "Other reward functions pay for what is learned",
  }],
  learning_plateau: [{
    all: ["reward_rises", "reward_flat"],
    none: [...FALLS, "goal_at_floor", "kl_grows", "entropy_falls", "length_grows", "gradient_spikes", ...BROKEN_TEXT],
    when: mayBeReinforcement,
    message: "The reward rose and stands still since",
  }],
  flat_reward_no_learning: [{
    all: [["reward_flat", "goal_flat"], ["kl_moves", "spread_there"]],
    none: [
      ...FALLS,
      "reward_rises",
      "goal_rises",
      "gradient_zero",
      "entropy_falls",
      "truncated",
      "kl_grows",
      "loss_not_finite",
      ...BROKEN_TEXT,
    ],
    when: mayBeReinforcement,
    message: "The policy moves and groups have spread, and the reward does not rise",
  }],
  gradient_spikes: [{
    all: ["gradient_spikes", ["gradient_large", "reward_flat", "goal_flat", "loss_rises", "loss_flat"]],
    none: [...FALLS, "loss_not_finite", "kl_grows"],
    message: "Rare gradients far above the rest set the run back",
  }],
  excessive_clipping: [{
    all: ["clipped"],
    when: mayBeReinforcement,
    message: "A rollout is reused until most of its tokens are clipped",
  }],
  length_inflation: [{
    all: ["length_grows", ["goal_flat", "reward_flat"]],
    none: ["truncated", "kl_grows", ...FALLS, ...BROKEN_TEXT],
    message: "Completions grow and nothing is gained",
  }],
  length_collapse: [{
    all: ["length_shrinks", ["goal_flat", "reward_flat", ...FALLS]],
    none: ["empty", "kl_grows"],
    message: "Completions shrink and nothing is gained",
  }],
  reward_hacking: [
    { all: ["cheats"], when: mayBeReinforcement, message: "The reward is earned by a shortcut" },
    {
      all: ["reward_rises", ["goal_falls", "garbled", "repeats", "empty", "same_everywhere"]],
      when: mayBeReinforcement,
      message: "The reward rises while the goal falls",
    },
  ],
  // ***** preferences and supervised *****
  likelihood_displacement: [
    {
      all: ["chosen_falls", ["rejected_falls", "margin_rises"]],
      none: ["goal_rises", "readable"],
      when: isPreference,
      message: "Chosen and rejected both fall while the margin grows",
    },
  ],
  preference_margin_blowup: [
    { all: ["pairs_perfect"], when: isPreference, message: "The margin runs away" },
    {
      all: ["margin_rises", ["repeats", "garbled", "same_everywhere"]],
      when: isPreference,
      message: "The margin grows while the text breaks",
    },
  ],
  overfitting: [
    { all: ["eval_loss_rises", "loss_falls"], message: "The training loss falls and the held-out loss rises" },
  ],
  invalid_config_value: [
    {
      all: [["loss_flat", "loss_zero", "gradient_zero", "reward_zero"]],
      options: beta,
      when: isPreference,
      message: "beta is 0: the loss has no gradient",
    },
  ],
  // ***** update and machine *****
  broken_gradient_path: [
    {
      all: ["gradient_zero", ["adapter_unchanged", "kl_zero"]],
      none: ["spread_zero", "identical", "no_parameters", "reward_zero"],
      message: "No gradient arrives, and the weights stay as they were",
    },
  ],
  resource_stall: [{
    all: ["hangs"],
    none: ["loss_not_finite", "gradient_not_finite", "weights_not_finite"],
    message: "The run hangs",
  }],
};
