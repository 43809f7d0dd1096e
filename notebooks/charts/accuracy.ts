/** Chart of the share of sampled completions that the verifier accepts. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const accuracy = lineChart({
  title: "Accuracy of the samples",
  about: "Share of sampled completions that the task's verifier accepts.",
  lines: [{ column: "accuracy", label: "accuracy", color: PALETTE.third }],
  y: "fraction of completions",
  domain: [0, 1],
  sharedScale: true,
});
