/** Chart of the loss. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const loss = lineChart({
  title: "Loss",
  about:
    "Cross-entropy in the warm start. A policy objective near 0 says nothing by itself; a loss of preferences begins near " +
    "0.69 (a pair) or 0.5 (KTO), which is chance, and falls as the margin grows.",
  lines: [{ column: "loss", label: "loss", color: PALETTE.ink }],
  y: "loss",
});
