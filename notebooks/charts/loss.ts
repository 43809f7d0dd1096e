/** Chart of the loss. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const loss = lineChart({
  title: "Loss",
  about: "What an update lowers.",
  aboutPhase: {
    sft: "Supervised: cross-entropy in nats per token.",
    rollout: "A policy objective near 0 says nothing by itself.",
    preference: "Of preferences: chance is 0.69 for DPO and 0.5 for KTO; it falls as the margin grows.",
    reward_model: "Of a reward model: 0.69 is chance; it falls as the margin grows.",
  },
  lines: [{ column: "loss", label: "loss", color: PALETTE.ink }],
  y: "loss",
});
