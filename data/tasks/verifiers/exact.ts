/** The verifier `exact`: the completion is the answer. @module */
import { z } from "zod";
import { sameAnswer } from "./same_answer.ts";
import { defineVerifier } from "./verifier.ts";

export const exact = defineVerifier({
  about: "it is the answer, letter by letter, white space around both ignored",
  params: z.strictObject({}),
  problem: (answer) => answer.trim() === "" ? "is empty" : null,
  verify: sameAnswer,
});
