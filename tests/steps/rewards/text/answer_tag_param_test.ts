import assert from "node:assert/strict";
import { answerTag } from "../../../../steps/rewards/text/answer_tag_param.ts";

Deno.test("answerTag takes the name of a tag, without its brackets", () => {
  assert.equal(answerTag.parse("answer"), "answer");
  assert.equal(answerTag.parse(undefined), undefined);
  for (const wrong of ["<answer>", "", "a b", "1a"]) assert(!answerTag.safeParse(wrong).success, wrong);
});
