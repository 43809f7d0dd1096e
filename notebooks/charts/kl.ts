/** Chart of the estimated KL divergence. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const kl = lineChart({
  title: "KL to the reference",
  about: "Estimated KL to the reference policy.",
  aboutPhase: {
    rollout: "Per token; to the policy at the start of training where there is no reference.",
    preference: "Per completion, of mismatched pairs: KTO's baseline, which is never below 0 and often just that.",
  },
  lines: [{ column: "kl", label: "kl", color: PALETTE.second }],
  y: "nats",
});
