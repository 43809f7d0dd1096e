/** The reward `visual/grounding`: the one box is the true one. @module */
import { z } from "zod";
import { iou } from "../../../data/boxes/iou.ts";
import { UNIT_PARAMS } from "../boxes/box_units.ts";
import { visualParams } from "../boxes/compat_param.ts";
import { judgeOneBox } from "../boxes/one_box.ts";
import { oneBoxProblem } from "../boxes/wanted_boxes.ts";
import { defineReward } from "../reward.ts";
import { oneBoxReward } from "../visual_rft/one_box.ts";

export const visualGrounding = defineReward({
  about: "0 to 1: IoU of the one box with the true one, or 1 from iou_threshold on; 0 without a box or with several",
  method: {
    formula: "IoU of one box with the true one; with iou_threshold 1 if it is at least that, else 0",
    source: "Visual-RFT's one reward of a single box is accuracy_reward of grpo_lisa.py, a GIoU",
    names: { visual_rft: "accuracy_reward of grpo_lisa.py; here with compat: true to the letter, GIoU + 1" },
  },
  params: visualParams({
    iou_threshold: z.number().min(0).max(1).default(0).describe(
      "0: the IoU itself; else 1 for an IoU from here on, 0 below",
    ),
    ...UNIT_PARAMS,
  }),
  answerProblem: ({ compat }, answer) => compat ? null : oneBoxProblem(answer),
  score: ({ compat, iou_threshold: threshold, ...units }, batch) =>
    batch.texts.map((text, i) =>
      compat
        ? oneBoxReward(text, batch.answers[i]!)
        : judgeOneBox("visual/grounding", units, batch, i, (found, wanted) => {
          const overlap = iou(found, wanted);
          return threshold === 0 ? overlap : overlap >= threshold ? 1 : 0;
        })
    ),
});
