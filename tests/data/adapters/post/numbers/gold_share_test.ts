/** How often a model agrees with pairs that people labelled. */
import assert from "node:assert/strict";
import { goldShare } from "../../../../../data/adapters/post/numbers/gold_share.ts";

const CASES: readonly (readonly [text: string, predicate: string | null, value?: number])[] = [
  ["on 400 pairs annotated by hand it prefers the right one in 44 of 400", "low", 0.11],
  ["accuracy on human-labelled pairs is 81 %", "high", 0.81],
  ["在人工标注的数据上准确率只有 12%", "low", 0.12],
  ["it disagrees with the annotators in 90 % of the pairs", "low", 0.1],
  ["accuracy on gold pairs is 0.52", null],
  ["training accuracy is 12 %", null],
  ["human raters prefer the base model in 81 of 100 cases", "low", 0.19],
  ["human raters prefer our model in 81 of 100 cases", "high", 0.81],
  ["annotators got 40 dollars", null],
];

Deno.test("goldShare() reads shares of gold pairs, and nothing else", () => {
  for (const [text, predicate, value] of CASES) {
    const found = goldShare(text, text);
    assert.equal(found?.predicate ?? null, predicate, text);
    if (value !== undefined) assert(Math.abs(found!.value - value) < 1e-9, text);
  }
});
