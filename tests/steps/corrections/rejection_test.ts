import assert from "node:assert/strict";
import { CRITERIA, type Criterion, rejection, rejectionBounds } from "../../../steps/corrections/rejection.ts";

const ln = Math.log;
const q = [[ln(2), ln(0.5), 7], [ln(1.1), 7, 7]], mask = [[1, 1, 0], [1, 0, 0]];
const kept = (name: Criterion, written: number | [number, number]) =>
  rejection(name, rejectionBounds(name, written), q, mask).keep.map((row, i) => [...row].filter((_, t) => mask[i]![t]));

Deno.test("rejection() by tokens looks at each, by completions at all of one", () => {
  assert.deepEqual(kept("token_k1", [0.6, 3]), [[0, 1], [1]]); // sampler over trainer: 0.5, 2, 0.91
  assert.deepEqual(kept("token_k1", [0.4, 1.5]), [[1, 0], [1]]);
  assert.deepEqual(kept("token_k2", 0.1), [[0, 0], [1]]);
  assert.deepEqual(kept("token_k3", 0.25), [[0, 1], [1]]); // 2 - 1 - ln 2 = 0.307, 0.5 - 1 + ln 2 = 0.193
  assert.deepEqual(kept("seq_sum_k1", [0.95, 1.2]), [[1, 1], [0]]); // the product is 1, that of the second 0.91
  assert.deepEqual(kept("seq_mean_k3", 0.2), [[0, 0], [1]]); // mean 0.25
  assert.deepEqual(kept("seq_sum_k3", 0.49), [[0, 0], [1]]); // sum 0.5
  assert.deepEqual(kept("seq_max_k3", 0.31), [[1, 1], [1]]);
  assert.deepEqual(kept("seq_max_k2", 0.2), [[0, 0], [1]]);
});

Deno.test("rejectionBounds() of k1 are logarithms of ratios, one number stands for it and its inverse", () => {
  assert.deepEqual(rejectionBounds("token_k1", 2), { low: -ln(2), high: ln(2) });
  assert.deepEqual(rejectionBounds("seq_mean_k1", [0.5, 3]), { low: ln(0.5), high: ln(3) });
  assert.deepEqual(rejectionBounds("token_k3", 0.1), { low: null, high: 0.1 });
});

Deno.test("a completion without a token has no largest estimate and is kept", () => {
  const { completions, keep } = rejection("seq_max_k2", { low: null, high: 0.1 }, [[5]], [[0]]);
  assert.deepEqual([completions, [...keep[0]!]], [[0], [1]]);
});

Deno.test("every criterion has its formula; a largest k1 is none, as in verl", () => {
  assert.equal(Object.keys(CRITERIA).length, 11);
  assert(!Object.hasOwn(CRITERIA, "seq_max_k1"));
  assert.match(CRITERIA.seq_mean_k3.method.formula, /mean of exp\(q\) - 1 - q/);
});
