import assert from "node:assert/strict";
import { sameAnswer } from "../../../../data/tasks/verifiers/same_answer.ts";

Deno.test("sameAnswer() ignores white space around and nothing else", () => {
  assert(sameAnswer(" 85\n", { answer: "85" }));
  assert(sameAnswer("85", { answer: 85 }));
  for (const wrong of ["8 5", "85.", "", "085"]) assert(!sameAnswer(wrong, { answer: "85" }), wrong);
});
