import assert from "node:assert/strict";
import {
  clamp,
  countedValues,
  largest,
  mapRows,
  maskedSum,
  meanOf,
  rowMean,
  shareOf,
  smallest,
  stdOf,
  tokenCount,
  tokenMean,
  tokenStd,
} from "../../../steps/corrections/masked_rows.ts";

const rows = [[1, 2, NaN], [4]], mask = [[1, 1, 0], [1]];
const near = (got: number, want: number) =>
  assert(Math.abs(got - want) <= 1e-7 * Math.abs(want), `${got}, want ${want}`);

Deno.test("sums and means are over the tokens that count, whatever stands on the others", () => {
  assert.equal(maskedSum(rows[0]!, mask[0]!), 3);
  assert.equal(tokenCount(mask[0]!), 2);
  near(rowMean(rows[0]!, mask[0]!), 1.5);
  near(tokenMean(rows, mask), 7 / 3);
  assert.deepEqual(countedValues(rows, mask), [1, 2, 4]);
  near(tokenStd(rows, mask), Math.sqrt(7 - (7 / 3) ** 2));
});

Deno.test("of no token a mean and a spread are 0", () => {
  assert.equal(rowMean([5], [0]), 0);
  assert.equal(tokenMean([[5]], [[0]]), 0);
  assert.equal(tokenStd([[5]], [[1]]), 0);
});

Deno.test("plain statistics: Bessel's deviation, shares, extremes of which a NaN is one", () => {
  assert.equal(meanOf([1, 2, 6]), 3);
  near(stdOf([1, 2, 6]), Math.sqrt((4 + 1 + 9) / 2));
  assert.equal(stdOf([1]), 0);
  assert.equal(shareOf([1, 2, 3, 4], (value) => value > 3), 0.25);
  assert.equal(shareOf([], () => true), 0);
  assert.deepEqual([largest([1, 3]), smallest([1, 3]), largest([])], [3, 1, -Infinity]);
  assert.equal(largest([1, NaN]), NaN);
  assert.deepEqual([clamp(5, 0, 2), clamp(-5, 0, 2), clamp(1, 0, 2)], [2, 0, 1]);
});

Deno.test("mapRows() says which row and token it is at", () => {
  assert.deepEqual(mapRows([[5, 6], [7]], (value, row, token) => value * 100 + row * 10 + token).map((r) => [...r]), [
    [500, 601],
    [710],
  ]);
});
