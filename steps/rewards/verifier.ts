/** The reward `verifier`: the task's own judgement. @module */
import { z } from "zod";
import { verifierOf } from "../../data/tasks/verifiers/verify.ts";
import { defineReward } from "./reward.ts";
import { answerTag, answerText } from "./text/answer_tag.ts";

const params = z.strictObject({
  right: z.number().default(1).describe("reward of a completion that the verifier accepts"),
  wrong: z.number().default(0).describe("reward of any other"),
  answer_tag: answerTag,
});

export const verifier = defineReward({
  about: "The task's own verifier: right (1) or wrong (0)",
  params,
  score: ({ right, wrong, answer_tag }, { texts, rows }) =>
    texts.map((text, i) => {
      const verify = verifierOf(rows[i]!);
      if (!verify) {
        throw new RangeError(
          `Cannot score with reward "verifier": the prompts name none; set verifier in load_prompts or use exact_match`,
        );
      }
      const answer = answerText(text, answer_tag);
      return answer !== null && verify(answer, rows[i]!) ? right : wrong;
    }),
});
