import assert from "node:assert/strict";
import { answerText } from "../../../../data/tasks/verifiers/answer_tag.ts";

Deno.test("answerText() is what stands between the last pair of tags", () => {
  assert.equal(answerText("<a>1</a> no, <a>2</a>.", "a"), "2");
  assert.equal(answerText("<a>1", "a"), null);
  assert.equal(answerText("1</a>", "a"), null);
  assert.equal(answerText("", "a"), null);
  assert.equal(answerText("all of it", undefined), "all of it");
});
