/** Which symptoms together are a cause of the course of a run: it stands still, grows, or is paid for something else. @module */
import type { RunView } from "../view/run_view.ts";
import { claimed } from "./claimed.ts";
import { each, PAID } from "./symptom.ts";
import { REWARD_SYMPTOMS } from "./reward_symptoms.ts";
import { BROKEN_TEXT, FALLS, mayBeReinforcement, type Patterns } from "./pattern.ts";

/** All goals that stand still are what rose before: one and the same reward. */
function isOneReward(view: RunView): boolean {
  const rising = claimed(view, each(PAID, ["rises"])), still = claimed(view, REWARD_SYMPTOMS.goal_at_floor.says);
  return still.length > 0 && still.every(({ subject }) => rising.some((one) => one.subject === subject));
}

export const COURSE_PATTERNS: Patterns = {
  reward_imbalance: [{
    all: ["reward_rises", "goal_at_floor"],
    none: ["kl_grows", "goal_rises", ...FALLS],
    when: (view) => mayBeReinforcement(view) && !isOneReward(view),
    message: "Other reward functions pay for what is learned",
  }],
  learning_plateau: [{
    all: ["reward_rises", "reward_flat"],
    none: [
      "goal_rises",
      ...FALLS,
      "goal_at_floor",
      "kl_grows",
      "entropy_falls",
      "length_grows",
      "gradient_spikes",
      ...BROKEN_TEXT,
    ],
    when: mayBeReinforcement,
    message: "The reward rose and stands still since",
  }],
  flat_reward_no_learning: [{
    all: [["reward_flat", "goal_flat"], ["kl_moves", "spread_there", "flat_for_long"]],
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
    all: ["gradient_spikes", [
      "spikes_shown",
      "spikes_grow",
      "loss_jumps",
      "reward_flat",
      "goal_flat",
      "loss_rises",
      "loss_flat",
    ]],
    none: [...FALLS, "loss_not_finite", "kl_grows"],
    message: "Rare gradients far above the rest set the run back",
  }],
  excessive_clipping: [{
    all: ["clipped"],
    when: mayBeReinforcement,
    message: "A rollout is reused until many of its tokens are clipped",
  }],
  length_inflation: [{
    all: ["length_grows", ["goal_flat", "reward_flat"]],
    none: ["truncated", "kl_grows", "gradient_zero", "spread_zero", ...FALLS, ...BROKEN_TEXT],
    message: "Completions grow and nothing is gained",
  }],
  length_collapse: [{
    all: ["length_shrinks", ["goal_flat", "reward_flat", ...FALLS, "gradient_zero", "spread_zero"]],
    none: ["empty", "kl_grows", "reward_rises", "goal_rises"],
    message: "Completions shrink and nothing is gained",
  }, {
    all: ["length_shrinks", "texts_worsen"],
    none: ["kl_grows", "reward_rises", "goal_rises"],
    when: mayBeReinforcement,
    message: "Completions shrink and what is left of them gets worse",
  }],
  reward_hacking: [
    {
      all: ["reward_top", "goal_falls"],
      none: ["goal_rises"],
      when: mayBeReinforcement,
      message: "The reward is at its maximum while the goal falls",
    },
    { all: ["cheats"], when: mayBeReinforcement, message: "The reward is earned by a shortcut" },
    {
      all: ["reward_rises", ["goal_falls", "texts_worsen", "garbled", "repeats", "empty", "same_everywhere"]],
      none: ["goal_rises", "reward_zero", "reward_flat", "loss_not_finite", "gradient_not_finite"],
      when: mayBeReinforcement,
      message: "The reward rises while the goal falls",
    },
  ],
};
