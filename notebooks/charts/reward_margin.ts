/** Chart of how far the chosen completions stand above the rejected ones. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const rewardMargin = lineChart({
  title: "Reward margin",
  about:
    "Mean reward of the chosen completions less that of the rejected ones. It rises from 0; where validation stays behind, the pairs are learned by heart.",
  aboutPhase: {
    preference: "The reward is beta times the log-ratio to the reference.",
    reward_model: "The reward is the reward model's score.",
  },
  lines: [
    { column: "reward_margin", label: "train", color: PALETTE.first },
    { column: "validation_margin", label: "validation", color: PALETTE.second },
  ],
  y: "reward, chosen less rejected",
  onlyWhereThere: true,
});
