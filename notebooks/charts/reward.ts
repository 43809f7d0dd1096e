/** Chart of the mean reward per train step. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const reward = lineChart({
  title: "Reward",
  about: "Mean reward over the completions of a train step, before any normalisation. It should rise, then level off.",
  lines: [{ column: "reward", label: "reward", color: PALETTE.first }],
  y: "mean reward",
});
