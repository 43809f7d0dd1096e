import assert from "node:assert/strict";
import { repetitionPenalty } from "../../../steps/rewards/repetition_penalty.ts";
import { rewardBatch } from "./batch.ts";

const score = (given: Record<string, unknown>, texts: string[]) =>
  repetitionPenalty.score(repetitionPenalty.params.parse(given), rewardBatch(texts));

Deno.test("repetitionPenalty.score() is the share of n-grams that repeat, case ignored", () => {
  // Bigrams of "a b a b a": ab ba ab ba, 2 of 4 distinct.
  assert.deepEqual(score({ ngram: 2 }, ["a b A b a", "a b c d", "a", ""]), [-0.5, 0, 0, 0]);
});

Deno.test("repetitionPenalty.score() counts characters on request and scales", () => {
  // Trigrams of "aaaaa": one of three distinct.
  assert.deepEqual(score({ unit: "characters", max_penalty: 3 }, ["aaaaa"]), [-(1 - 1 / 3) * 3]);
});
