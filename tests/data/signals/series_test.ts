/** Series statistics, by hand. @module */
import assert from "node:assert/strict";
import { exponentialAverage, firstNonFinite, median, robustZ, slope } from "../../../data/signals/series.ts";

Deno.test("firstNonFinite() finds NaN and infinities; null is absent", () => {
  assert.equal(firstNonFinite([1, null, 2, -Infinity, NaN]), 3);
  assert.equal(firstNonFinite([1, null]), null);
});

Deno.test("median() and robustZ() ignore outliers, null and NaN in the history", () => {
  assert.equal(median([3, 1, null, 2, NaN]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(median([null]), null);
  // median 3, deviations 2 1 0 1 97: their median is 1
  assert.ok(Math.abs(robustZ(3 + 1.4826 * 6, [1, 2, 3, 4, 100])! - 6) < 1e-12);
  assert.equal(robustZ(1, [1, 1, 1]), 0);
  assert.equal(robustZ(2, [1, 1, 1]), Infinity);
  assert.equal(robustZ(2, [1, null, 1]), null);
});

Deno.test("exponentialAverage() starts at the first value and keeps NaN visible", () => {
  assert.deepEqual(exponentialAverage([null, 4, null, 8], 0.5), [null, 4, 4, 6]);
  assert.deepEqual(exponentialAverage([4, 8], 0.25), [4, 5]);
  assert.deepEqual(exponentialAverage([1, NaN, 1], 0.5), [1, NaN, NaN]);
  assert.throws(() => exponentialAverage([1], 0), /Cannot average with alpha 0/);
});

Deno.test("slope() fits a line through what is there", () => {
  assert.equal(slope([1, null, 5, 7]), 2);
  assert.equal(slope([0, 1], [10, 20]), 0.1);
  assert.equal(slope([1, NaN, null]), null);
});
