/** Chart of how far the chosen completions stand above the rejected ones. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const rewardMargin = lineChart({
  title: "Reward margin",
  about:
    "Reward of the chosen completions less that of the rejected ones, of an update and on the split validation. It rises from 0.",
  lines: [
    { column: "reward_margin", label: "train", color: PALETTE.first },
    { column: "validation_margin", label: "validation", color: PALETTE.second },
  ],
  y: "reward, chosen less rejected",
  onlyWhereThere: true,
});
