/** The reward `exact_match`: the completion is the answer, letter by letter. @module */
import { z } from "zod";
import { answerText } from "../../data/tasks/verifiers/answer_tag.ts";
import { defineReward } from "./reward.ts";
import { answerTag } from "./text/answer_tag_param.ts";

const params = z.strictObject({
  ignore_case: z.boolean().default(false).describe("treat upper and lower case alike"),
  strip: z.boolean().default(true).describe("ignore white space around the completion and the answer"),
  answer_tag: answerTag,
});

export const exactMatch = defineReward({
  about: "1 if the completion equals the answer, else 0",
  params,
  score({ ignore_case, strip, answer_tag }, { texts, answers }) {
    const plain = (text: string) => {
      const stripped = strip ? text.trim() : text;
      return ignore_case ? stripped.toLowerCase() : stripped;
    };
    return texts.map((text, i) => {
      const answer = answerText(text, answer_tag);
      return answer !== null && plain(answer) === plain(answers[i]!) ? 1 : 0;
    });
  },
});
