/** The reward `visual/confidence`: how well confidences say which found boxes are right. @module */
import { visualParams } from "../boxes/compat_param.ts";
import { judgeBoxes, type Judged, MATCH_PARAMS } from "../boxes/judge_boxes.ts";
import { boxesProblem } from "../boxes/wanted_boxes.ts";
import { defineReward } from "../reward.ts";
import { confidenceReward, measured } from "../visual_rft/detections.ts";
import { symbolicallyEqual } from "../visual_rft/symbolic_shortcut.ts";

/** A wrong box with confidence 0 earns 1, in both forms: use it beside `visual/iou`. */
export const visualConfidence = defineReward({
  about: "0 to 1: mean of the confidence of right boxes and of 1 minus that of wrong ones; 0 for one without",
  method: {
    formula:
      "mean over found boxes of c where the box is right, 1 - c where it is wrong, c its confidence; 0 for a box whose c " +
      "is missing or not within 0 to 1; 1 where No Objects is said rightly",
    source: "Visual-RFT grpo.py accuracy_reward_confidence",
    names: { visual_rft: "accuracy_reward_confidence; here with compat: true to the letter" },
  },
  params: visualParams(MATCH_PARAMS),
  answerProblem: ({ compat }, answer) => compat ? null : boxesProblem(answer),
  score: ({ compat, ...options }, batch) =>
    batch.texts.map((text, i) => {
      if (!compat) return judgeBoxes("visual/confidence", options, batch, i, meanConfidence);
      return symbolicallyEqual(text, batch.answers[i]!) ? 1 : measured(text, batch.answers[i]!, confidenceReward);
    }),
});

function meanConfidence({ found, matches }: Judged): number {
  const sum = found.reduce((sum, { confidence: c }, i) => {
    if (c === null || c < 0 || c > 1) return sum;
    return sum + (matches[i]!.wanted === null ? 1 - c : c);
  }, 0);
  return sum / found.length;
}
