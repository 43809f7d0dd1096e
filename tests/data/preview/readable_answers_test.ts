import assert from "node:assert/strict";
import { ReadableAnswers } from "../../../data/preview/readable_answers.ts";

const of = (...answers: string[]) => {
  const readable = new ReadableAnswers();
  for (const answer of answers) readable.add(answer, { answer }, undefined);
  return readable.end();
};

Deno.test("ReadableAnswers counts who reads an answer; a list of boxes is no number", () => {
  const { answers, by } = of("3", "cat")!;
  assert.deepEqual([answers, by["numeric"], by["gsm8k"], by["exact"], by["boxes"]], [2, 1, 1, 2, 0]);
  for (const boxes of ["[{'Position': [1, 2, 3, 4], 'Confidence': 1}]", "[1, 2, 3, 4]", "(1,2),(3,4)"]) {
    const { by } = of(boxes)!;
    assert.deepEqual([by["boxes"], by["numeric"], by["gsm8k"], by["boxed"], by["exact"]], [1, 0, 0, 0, 1], boxes);
  }
  assert.equal(of("No Objects")!.by["boxes"], 1);
  assert.equal(of(), null);
});

Deno.test("ReadableAnswers says which answer the chosen verifier cannot read, and nothing of a blank one", () => {
  const readable = new ReadableAnswers();
  const said = ["3", "cat", " ", ""].map((answer) => readable.add(answer, {}, "numeric"));
  assert.deepEqual(said, [false, true, false, false]);
});
