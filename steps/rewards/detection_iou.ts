/** The reward `detection_iou`: how well detected boxes cover the true ones. @module */
import { z } from "zod";
import { defineReward } from "./reward.ts";
import { iouReward, measured } from "./visual/detections.ts";
import { quirk } from "./visual/quirk_param.ts";
import { symbolicallyEqual } from "./visual/symbolic_shortcut.ts";

/** Visual-RFT grpo.py accuracy_reward_iou. The answer column holds `<answer>[{'Position': [x1, y1, x2, y2], …}]</answer>`. */
export const detectionIou = defineReward({
  about: "0 to 1: sum of IoUs above 0.5 of detected with true boxes, over the larger of both counts (Visual-RFT)",
  method: {
    formula: "min(1, sum of IoUs above 0.5 of detected with true boxes / max(detected, true))",
    source: "Visual-RFT grpo.py accuracy_reward_iou",
    names: { visual_rft: "accuracy_reward_iou; here with quirk: true to the letter" },
  },
  params: z.strictObject({ quirk }),
  score: ({ quirk }, { texts, answers }) =>
    texts.map((text, i) =>
      quirk && symbolicallyEqual(text, answers[i]!) ? 1 : finite(measured(text, answers[i]!, iouReward), quirk)
    ),
});

/** Without the quirk what is not finite (NaN as a coordinate) earns nothing. */
const finite = (reward: number, quirk: boolean) => quirk || Number.isFinite(reward) ? reward : 0;
