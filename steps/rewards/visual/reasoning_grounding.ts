/** The reward `visual/reasoning_grounding`: one box near the true one, after reasoning in the wanted shape. @module */
import { giou } from "../../../data/boxes/iou.ts";
import { UNIT_PARAMS } from "../boxes/box_units.ts";
import { visualParams } from "../boxes/compat_param.ts";
import { judgeOneBox } from "../boxes/one_box.ts";
import { hasTagShape } from "../boxes/tag_shape.ts";
import { oneBoxProblem } from "../boxes/wanted_boxes.ts";
import { defineReward } from "../reward.ts";
import { oneBoxReward } from "../visual_rft/one_box.ts";
import { hasWholeFormat } from "../visual_rft/whole_format.ts";

export const visualReasoningGrounding = defineReward({
  about: "0 to 2: (GIoU + 1) / 2 of the one box with the true one, plus 1 for <think>…</think><answer>…</answer>",
  method: {
    formula: "`visual/giou` + `visual/format`",
    source: "Visual-RFT grpo_lisa.py, sum of accuracy_reward and format_reward",
    names: {
      visual_rft: "accuracy_reward + format_reward of grpo_lisa.py; here with compat: true to the letter, 0 to 3",
    },
  },
  params: visualParams(UNIT_PARAMS),
  answerProblem: ({ compat }, answer) => compat ? null : oneBoxProblem(answer),
  score: ({ compat, ...units }, batch) =>
    batch.texts.map((text, i) => {
      if (compat) return oneBoxReward(text, batch.answers[i]!) + (hasWholeFormat(text) ? 1 : 0);
      const near = judgeOneBox(
        "visual/reasoning_grounding",
        units,
        batch,
        i,
        (found, wanted) => (giou(found, wanted) + 1) / 2,
      );
      return near === null ? null : near + (hasTagShape(text, true) ? 1 : 0);
    }),
});
