/** The reward `detection_confidence`: how well confidences say which detected boxes are right. @module */
import { z } from "zod";
import { defineReward } from "./reward.ts";
import { confidenceReward, measured } from "./visual/detections.ts";
import { quirk } from "./visual/quirk_param.ts";
import { symbolicallyEqual } from "./visual/symbolic_shortcut.ts";

/**
 * Visual-RFT grpo.py accuracy_reward_confidence. A wrong box with confidence 0 earns 1: use it beside `detection_iou`.
 * Without `quirk` a confidence that is not finite earns 0.
 */
export const detectionConfidence = defineReward({
  about: "0 to 1: mean of the confidence of right boxes and of 1 minus that of wrong ones (Visual-RFT)",
  method: {
    formula:
      "mean over detected boxes of c where the box is right, 1 - c where it is wrong, c its confidence; within 0 to 1",
    source: "Visual-RFT grpo.py accuracy_reward_confidence",
    names: { visual_rft: "accuracy_reward_confidence; here with quirk: true to the letter" },
  },
  params: z.strictObject({ quirk }),
  score: ({ quirk }, { texts, answers }) =>
    texts.map((text, i) => {
      if (quirk && symbolicallyEqual(text, answers[i]!)) return 1;
      const reward = measured(text, answers[i]!, confidenceReward);
      return quirk || Number.isFinite(reward) ? reward : 0;
    }),
});
