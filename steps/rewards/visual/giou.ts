/** The reward `visual/giou`: how near one box is to the true one, also where they share nothing. @module */
import { giou } from "../../../data/boxes/iou.ts";
import { UNIT_PARAMS } from "../boxes/box_units.ts";
import { visualParams } from "../boxes/compat_param.ts";
import { judgeOneBox } from "../boxes/one_box.ts";
import { oneBoxProblem } from "../boxes/wanted_boxes.ts";
import { defineReward } from "../reward.ts";
import { oneBoxReward } from "../visual_rft/one_box.ts";

export const visualGiou = defineReward({
  about: "0 to 1: (GIoU + 1) / 2 of the one box with the true one, 0 without a box or with several",
  method: {
    formula: "(GIoU + 1) / 2 of one box, 0 without a box, with several, or with swapped corners",
    source: "Visual-RFT grpo_lisa.py accuracy_reward; Rezatofighi et al. 2019, eq. 5",
    names: { visual_rft: "accuracy_reward of grpo_lisa.py; here with compat: true to the letter, GIoU + 1" },
  },
  params: visualParams(UNIT_PARAMS),
  answerProblem: ({ compat }, answer) => compat ? null : oneBoxProblem(answer),
  score: ({ compat, ...units }, batch) =>
    batch.texts.map((text, i) =>
      compat
        ? oneBoxReward(text, batch.answers[i]!)
        : judgeOneBox("visual/giou", units, batch, i, (found, wanted) => (giou(found, wanted) + 1) / 2)
    ),
});
