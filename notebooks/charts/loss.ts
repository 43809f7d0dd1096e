/** Chart of the loss. @module */
import { DASHED, lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const loss = lineChart({
  title: "Loss",
  about: "What an update lowers.",
  aboutPhase: {
    sft: "Supervised: cross-entropy in nats per token.",
    rollout: "A policy objective near 0 says nothing by itself: at ratio 1 it equals a closed form of advantages and " +
      "lengths, and where that is drawn and lies on the loss, a loss of 0 is benign.",
    preference: "Of preferences: chance is 0.69 for DPO and 0.5 for KTO; it falls as the margin grows.",
    reward_model: "Of a reward model: 0.69 is chance; it falls as the margin grows.",
  },
  lines: [
    { column: "loss", label: "loss", color: PALETTE.first },
    { column: "expected_loss", label: "closed form at ratio 1", color: PALETTE.second, dash: DASHED },
  ],
  y: "loss",
  mixed: true,
  span: 1e-6, // float32 leaves about 1e-7 of a mean of advantages that is 0
});
