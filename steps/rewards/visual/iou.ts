/** The reward `visual/iou`: how well found boxes cover the true ones. @module */
import { visualParams } from "../boxes/compat_param.ts";
import { judgeBoxes, type Judged, MATCH_PARAMS } from "../boxes/judge_boxes.ts";
import { boxesProblem } from "../boxes/wanted_boxes.ts";
import { defineReward } from "../reward.ts";
import { iouReward, measured } from "../visual_rft/detections.ts";
import { symbolicallyEqual } from "../visual_rft/symbolic_shortcut.ts";

/** Boxes as `readBoxes` reads them; the answer column holds `[{'Position': [x1, y1, x2, y2], …}]` or No Objects. */
export const visualIou = defineReward({
  about: "0 to 1: sum of IoUs of found boxes with their true ones, over the larger of both counts; 1 if there are none",
  method: {
    formula:
      "sum of the IoUs of matched boxes / max(found, true); 1 where No Objects is said rightly; 0 for no list of boxes",
    source: "Visual-RFT grpo.py accuracy_reward_iou",
    names: { visual_rft: "accuracy_reward_iou; here with compat: true to the letter" },
  },
  params: visualParams(MATCH_PARAMS),
  answerProblem: ({ compat }, answer) => compat ? null : boxesProblem(answer),
  score: ({ compat, ...options }, batch) =>
    batch.texts.map((text, i) => {
      if (!compat) return judgeBoxes("visual/iou", options, batch, i, meanIou);
      return symbolicallyEqual(text, batch.answers[i]!) ? 1 : measured(text, batch.answers[i]!, iouReward);
    }),
});

function meanIou({ matches, wanted }: Judged): number {
  return matches.reduce((sum, { iou }) => sum + iou, 0) / Math.max(wanted, matches.length);
}
