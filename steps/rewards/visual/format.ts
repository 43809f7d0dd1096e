/** The reward `visual/format`: the completion reasons in one block and answers in another. @module */
import { z } from "zod";
import { visualParams } from "../boxes/compat_param.ts";
import { hasTagShape } from "../boxes/tag_shape.ts";
import { defineReward } from "../reward.ts";
import { hasWholeFormat } from "../visual_rft/whole_format.ts";

export const visualFormat = defineReward({
  about: "1 if the completion is one <think>…</think> and one <answer>…</answer>, neither of them blank, else 0",
  method: {
    formula:
      "1 if the completion is one `<think>…</think>` and one `<answer>…</answer>`, neither blank, with white space around " +
      "them at most, else 0",
    source: "Visual-RFT grpo.py, grpo_classification.py and grpo_lisa.py format_reward",
    names: { visual_rft: "format_reward; here with compat: true to the letter" },
  },
  params: visualParams({
    think: z.boolean().default(true).describe("want reasoning before the answer; false: the answer alone"),
  }),
  score: ({ compat, think }, { texts }) =>
    texts.map((text) => (compat ? hasWholeFormat(text) : hasTagShape(text, think)) ? 1 : 0),
});
