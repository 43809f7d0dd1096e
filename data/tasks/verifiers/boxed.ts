/** The verifier `boxed`: an answer of mathematics in LaTeX's \\boxed. @module */
import { z } from "zod";
import { isTouched } from "./beside.ts";
import { lastBox } from "./boxed_text.ts";
import { boxClaim, type Claim, isBesideAnother, isTakenBack, lastClaim } from "./claims.ts";
import { sameMath } from "./same_math.ts";
import { defineVerifier } from "./verifier.ts";

const params = z.strictObject({
  method: z.enum(["strict", "flexible"]).default("strict").describe(
    'where a completion\'s answer stands: strict, in its last \\boxed; flexible, there, after #### or "the answer is", ' +
      "whichever comes last",
  ),
});

const MOST_ANSWER = 1000;

/**
 * The answer is its own last \boxed, what follows its ####, or the whole text. Boxes one beside the other that differ,
 * and one that is taken back, are wrong.
 *
 * verl's utils/reward_score/math_reward.py takes the same box and compares texts after replacing some LaTeX; numbers
 * are compared by value here, and lists member by member.
 */
export const boxed = defineVerifier({
  about: "what stands in its last \\boxed is the answer, as text, by value, or member by member",
  params,
  findsOneValue: true,
  problem(answer) {
    if (/\\(?:boxed|fbox)/.test(answer) && lastBox(answer) === null) return "has a \\boxed that does not end";
    const want = wanted(answer);
    return want === "" ? "is empty" : want.length > MOST_ANSWER ? `has more than ${MOST_ANSWER} characters` : null;
  },
  verify(completion, row, { method }) {
    const claim = method === "strict" ? boxClaim(completion) : lastClaim(completion), want = wanted(String(row.answer));
    if (claim === null || !sameMath(saidIn(claim), want)) return false;
    if (claim.kind === "box" && isTouched(completion, claim.start, completion.length - claim.after.length)) {
      return false;
    }
    const differs = (said: string) => !sameMath(said, want);
    return !isBesideAnother(completion, claim, differs) && !isTakenBack(claim, (text) => /\d|\\boxed/.test(text));
  },
});

function wanted(answer: string): string {
  const box = boxClaim(answer);
  if (box) return box.said;
  const line = answer.lastIndexOf("####");
  return (line < 0 ? answer : answer.slice(line + 4)).trim();
}

/** A sentence may end in words: "$\frac12$ of them" is no answer, but "**5**" is 5. */
function saidIn({ kind, said }: Claim): string {
  return kind === "box" ? said : said.replaceAll(/^[\s*$:]+|[\s*$.]+$/g, "");
}
