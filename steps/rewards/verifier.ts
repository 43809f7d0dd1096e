/** The reward `verifier`: the task's own judgement. @module */
import { z } from "zod";
import { verify } from "../../data/tasks/verifiers/verify.ts";
import { defineReward } from "./reward.ts";

const params = z.strictObject({
  right: z.number().default(1).describe("reward of a completion that the verifier accepts"),
  wrong: z.number().default(0).describe("reward of any other"),
});

export const verifier = defineReward({
  about: "The task's own verifier: right (1) or wrong (0)",
  params,
  score: ({ right, wrong }, { texts, rows, correct = texts.map((text, i) => verify(text, rows[i]!)) }) =>
    correct.map((accepted) => {
      if (accepted !== null) return accepted ? right : wrong;
      throw new RangeError(
        `Cannot score with reward "verifier": the prompts name none; set verifier in load_prompts or use exact_match`,
      );
    }),
});
