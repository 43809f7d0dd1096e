import assert from "node:assert/strict";
import { numericMatch } from "../../../steps/rewards/numeric_match.ts";
import { rewardBatch } from "./batch.ts";

const score = (given: Record<string, unknown>, texts: string[], answer: string) =>
  numericMatch.score(numericMatch.params.parse(given), rewardBatch(texts, { answers: texts.map(() => answer) }));

Deno.test("numericMatch.score() compares the last numbers, however they are written", () => {
  assert.deepEqual(score({}, ["1,234", "it is 1234.0.", "1234 or 5", "none", "1.234e3"], "#### 1234"), [1, 1, 0, 0, 1]);
});

Deno.test("numericMatch.score() has a tolerance relative to the answer", () => {
  assert.deepEqual(score({ tolerance: 0.01 }, ["101", "102"], "100"), [1, 0]);
  assert.deepEqual(score({}, ["0.3333333"], "0.33333333"), [1]);
  assert.deepEqual(score({}, ["0", "9e-7", "1e-7"], "1e-7"), [0, 0, 1]);
  assert.deepEqual(score({ absolute_tolerance: 1e-6 }, ["0", "2e-6"], "1e-7"), [1, 0]);
});

Deno.test("numericMatch.score() is null when the answer has no number", () => {
  assert.deepEqual(score({}, ["5"], "five"), [null]);
});

Deno.test("numericMatch.score() with a tag ignores numbers outside it", () => {
  assert.deepEqual(score({ answer_tag: "a" }, ["<a>7</a> 8", "7"], "7"), [1, 0]);
});
