/** The reward `numeric_match`: the completion's last number is the answer's. @module */
import { z } from "zod";
import { answerText } from "../../data/tasks/verifiers/answer_tag.ts";
import { lastNumber, sameNumber } from "../../data/tasks/verifiers/numbers.ts";
import { defineReward } from "./reward.ts";
import { answerTag } from "./text/answer_tag_param.ts";

const params = z.strictObject({
  tolerance: z.number().min(0).default(1e-6).describe("largest |difference| over the larger of the two numbers"),
  absolute_tolerance: z.number().min(0).default(0).describe(
    "a |difference| that is small enough whatever the numbers; 0: only 0 is 0",
  ),
  answer_tag: answerTag,
});

/** An answer without a number cannot be judged and gives null (TRL `accuracy_reward`). */
export const numericMatch = defineReward({
  about: "1 if the last number of the completion equals the answer's, else 0; null if the answer has no number",
  params,
  score: ({ tolerance, absolute_tolerance, answer_tag }, { texts, answers }) =>
    texts.map((text, i) => {
      const want = lastNumber(answers[i]!);
      if (want === null) return null;
      const answer = answerText(text, answer_tag);
      const found = answer === null ? null : lastNumber(answer);
      return found !== null && sameNumber(found, want, tolerance, absolute_tolerance) ? 1 : 0;
    }),
});
