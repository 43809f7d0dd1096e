import assert from "node:assert/strict";
import { exactMatch } from "../../../steps/rewards/exact_match.ts";
import { rewardBatch } from "./batch.ts";

const score = (given: Record<string, unknown>, texts: string[], answer: string) =>
  exactMatch.score(exactMatch.params.parse(given), rewardBatch(texts, { answers: texts.map(() => answer) }));

Deno.test("exactMatch.score() wants every letter, white space around ignored", () => {
  assert.deepEqual(score({}, ["Paris", " Paris\n", "paris", "Paris.", ""], "Paris"), [1, 1, 0, 0, 0]);
});

Deno.test("exactMatch.score() ignores case or keeps white space on request", () => {
  assert.deepEqual(score({ ignore_case: true }, ["PARIS"], "Paris"), [1]);
  assert.deepEqual(score({ strip: false }, [" Paris"], "Paris"), [0]);
});

Deno.test("exactMatch.score() with a tag compares what is inside it", () => {
  assert.deepEqual(score({ answer_tag: "answer" }, ["so <answer> Paris </answer>", "Paris"], "Paris"), [1, 0]);
});
