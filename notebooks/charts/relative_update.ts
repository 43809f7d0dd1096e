/** Chart of how much of the weights a train step changes. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const relativeUpdate = lineChart({
  title: "Relative update",
  about:
    "Norm of the weight change over the norm of the weights. Clean runs stay below 0.056; above 0.1 the policy is " +
    "rewritten rather than trained.",
  lines: [{ column: "relative_update", label: "relative update", color: PALETTE.third }],
  y: "share of the weights' norm",
});
