/** Chart of the estimated KL divergence. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const kl = lineChart({
  title: "KL to the reference",
  about: "Estimated KL to the reference policy, or to the policy at the start of training when there is none.",
  lines: [{ column: "kl", label: "kl", color: PALETTE.second }],
  y: "nats per token",
});
