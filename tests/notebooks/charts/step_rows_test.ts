import assert from "node:assert/strict";
import {
  byStep,
  evenly,
  groupsOf,
  hasLone,
  listedBins,
  listOf,
  MOST_CELLS,
  numbersOf,
  quantilesOf,
  STEP_RANGE,
  tokenPairs,
} from "../../../notebooks/charts/step_rows.ts";

Deno.test("quantilesOf() interpolates as numpy does", () => {
  // numpy.quantile([3, 1, 2, 10], [0, .25, .5, .95, 1])
  const [least, quarter, half, most, last] = quantilesOf([3, 1, 2, 10], [0, 0.25, 0.5, 0.95, 1]);
  assert.deepEqual([least, quarter, half, last], [1, 1.75, 2.5, 10]);
  assert(Math.abs(most - 8.95) < 1e-12);
  assert.deepEqual(quantilesOf([7], [0.05, 0.95]), [7, 7]);
});

Deno.test("numbersOf() leaves out what is not finite, listOf() is empty where there is none", () => {
  assert.deepEqual(numbersOf([{ a: 1 }, { a: NaN }, { a: null }, {}, { a: 3 }], "a"), [1, 3]);
  assert.deepEqual(Array.from(listOf({ a: new Float32Array([1, 2]) }, "a")), [1, 2]);
  assert.equal(listOf({ a: null }, "a").length, 0);
});

Deno.test("byStep() orders train steps; evenly() keeps the first and the last", () => {
  assert.deepEqual(byStep([{ train_step: 2 }, { train_step: 1 }, { train_step: 2 }]).map(([s, r]) => [s, r.length]), [
    [1, 1],
    [2, 2],
  ]);
  assert.deepEqual(evenly([0, 1, 2, 3, 4, 5, 6, 7, 8], 3), [0, 4, 8]);
  assert.deepEqual(evenly([1, 2], 3), [1, 2]);
});

Deno.test("listedBins() makes equal bins without gaps, one per train step where they are few", () => {
  const rows = (steps: number) => Array.from({ length: steps }, (_, i) => ({ train_step: 10 * (i + 1) }));
  assert.deepEqual(listedBins(rows(3)).map(({ from, to }) => [from, to]), [[10, 20], [20, 30], [30, 40]]);
  const many = listedBins(rows(1000));
  assert(many.length <= MOST_CELLS && many.length > MOST_CELLS / 2);
  many.slice(1).forEach(({ from }, i) => assert.equal(from, many[i]!.to));
  assert.equal(many.reduce((sum, { members }) => sum + members.length, 0), 1000);
  assert.deepEqual([STEP_RANGE.x.field, STEP_RANGE.x2.field], ["from", "to"]);
});

Deno.test("tokenPairs() are the tokens that count and are finite in both lists, with their place", () => {
  const row = { a: [1, 2, Infinity, 4, 5, 6], b: [10, 20, 30, NaN, 50], completion_mask: [1, 0, 1, 1, 1, 1] };
  assert.deepEqual(tokenPairs([row], "a", "b").map(({ token, first, second }) => [token, first, second]), [
    [0, 1, 10],
    [4, 5, 50],
  ]);
  assert.equal(tokenPairs([{ a: [1], b: [2] }, { a: [1] }], "a", "b").length, 1);
});

Deno.test("groupsOf() parts two groups of a prompt that was drawn twice; without sample a prompt has one", () => {
  const rows = [[7, 0], [7, 1], [8, 0], [7, 0], [7, 1]].map(([prompt_id, sample]) => ({ prompt_id, sample }));
  assert.deepEqual(groupsOf(rows), [0, 0, 1, 2, 2]);
  assert.deepEqual(groupsOf(rows.map(({ prompt_id }) => ({ prompt_id }))), [0, 0, 1, 0, 0]);
});

Deno.test("hasLone() is whether some phase has one train step alone, with however many rows", () => {
  const rows = (phase: string, ...steps: number[]) => steps.map((train_step) => ({ train_step, phase }));
  assert.equal(hasLone(rows("sft", 1, 1, 1)), true);
  assert.equal(hasLone(rows("sft", 1, 2)), false);
  assert.equal(hasLone([...rows("sft", 1, 2), ...rows("rollout", 3)]), true);
  assert.equal(hasLone([]), false);
});
