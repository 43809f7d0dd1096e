/** Chart of what the critic expects against what came. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const values = lineChart({
  title: "Values against returns",
  about: "Mean value that the critic gave the tokens of a rollout, and mean return that came. They should meet.",
  lines: [
    { column: "value_mean", label: "value", color: PALETTE.second },
    { column: "return_mean", label: "return", color: PALETTE.first },
  ],
  y: "units of the reward",
  needs: ["value_mean"],
  onlyWhereThere: true,
});
