import assert from "node:assert/strict";
import { isGraded } from "../../../../steps/diagnoses/view/graded.ts";

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

Deno.test("isGraded() knows means of an IoU from those of rewards that are paid or not", () => {
  // Golden ratio: far from every fraction with a small denominator.
  const golden = range(20).map((i) => (i * 0.6180339887498949) % 1);
  assert(isGraded(golden));
  for (const n of [1, 8, 64, 100, 256]) {
    assert(!isGraded(range(20).map((i) => Math.fround(((7 * i) % n) / n))), `${n} completions, float32`);
  }
  assert(!isGraded(range(20).map((i) => 1 + ((3 * i) % 7) / 7)), "a sum with a format that is always there");
  assert(!isGraded(golden.map((value) => Math.round(value * 100) / 100)), "two decimals are fractions of 100");
});

Deno.test("isGraded() wants five records, and most of them", () => {
  const golden = range(5).map((i) => ((i + 1) * 0.6180339887498949) % 1);
  assert(isGraded(golden));
  assert(!isGraded(golden.slice(1)));
  assert(isGraded([...golden, 0, 0, 1]), "whole ones are of both kinds");
  assert(!isGraded([...golden, 0.25, 0.5, 0.5]), "three of eight are fractions");
  assert(isGraded([...golden, NaN, NaN, NaN]), "what was not computed says nothing");
});
