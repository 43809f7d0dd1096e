/** Chart of the policy's entropy. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const entropy = lineChart({
  title: "Entropy",
  about: "Mean entropy of the policy at temperature 1. A fall with a rising reward is learning; without one, collapse.",
  lines: [{ column: "entropy", label: "entropy", color: PALETTE.fourth }],
  y: "nats per token",
});
