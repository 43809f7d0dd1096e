/** Chart of the policy's entropy. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const entropy = lineChart({
  title: "Entropy",
  about: "Mean entropy of the policy at temperature 1.",
  aboutPhase: {
    sft: "In supervised training it falls as the answers are learned.",
    rollout: "Under rewards, a fall with a rising reward is learning; without one, collapse.",
    preference: "On preferences it may rise, as the rejected completions lose what they had; near 0 is collapse.",
  },
  lines: [{ column: "entropy", label: "entropy", color: PALETTE.fourth }],
  y: "nats per token",
  span: 0.25,
});
