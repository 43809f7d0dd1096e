/** Chart of the loss. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const loss = lineChart({
  title: "Loss",
  about: "Cross-entropy in the warm start; then the policy objective, whose value near 0 says nothing by itself.",
  lines: [{ column: "loss", label: "loss", color: PALETTE.ink }],
  y: "nats per token",
});
