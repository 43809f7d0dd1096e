/** Small statistics against hand numbers. */
import assert from "node:assert/strict";
import {
  change,
  deviation,
  finiteOf,
  mean,
  median,
  percent,
  show,
  trendScore,
  written,
} from "../../../../steps/diagnoses/view/numbers.ts";

Deno.test("finiteOf() drops absent and non-finite cells", () =>
  assert.deepEqual(finiteOf([1, null, NaN, Infinity, 2]), [1, 2]));

Deno.test("mean(), median(), deviation() give the textbook values", () => {
  assert.equal(mean([1, 2, 6]), 3);
  assert.equal(median([6, 1, 2]), 2);
  assert.equal(median([6, 1, 2, 3]), 2.5);
  const many = Array.from({ length: 1000 }, (_, i) => (i * 389) % 1000);
  assert.equal(median(many), 499.5);
  assert.equal(median([NaN, 3, NaN, 1]), NaN);
  assert.equal(median([NaN, 3, 2, 1]), 2.5);
  assert.equal(deviation([2, 4, 4, 4, 5, 5, 7, 9]), Math.sqrt(32 / 7));
  assert(Number.isNaN(mean([])));
  assert.equal(deviation([3]), 0);
});

Deno.test("change() compares the last quarter with the first", () => {
  const { from, to, by, error } = change([0, 2, 5, 5, 5, 5, 8, 10]);
  assert.deepEqual([from, to, by], [1, 9, 8]);
  assert.equal(error, Math.sqrt(2)); // both quarters have variance 2 over 2 values
});

Deno.test("trendScore() is large on a line and small on noise", () => {
  assert(trendScore([0, 1.1, 1.9, 3.1, 4]) > 10);
  assert(Math.abs(trendScore([1, -1, 1, -1, 1, -1, 1])) < 1);
  assert.equal(trendScore([2, 2, 2]), 0);
});

Deno.test("show() keeps four digits and names what is absent", () => {
  assert.deepEqual([show(1 / 3), show(null), show(NaN), show(1e-9)], ["0.3333", "absent", "NaN", "1e-9"]);
});

Deno.test("written() has shares in percent and small numbers as powers of ten", () => {
  const [SHARE, SMALL, MANY, LESS] = [0.95, 2e-4, 200, 1.05 - 1];
  const text = written`${SHARE} % of ${SHARE}, ${SMALL}, ${MANY}, ${1e-3} and ${LESS} %`;
  assert.equal(text, "95 % of 0.95, 2e-4, 200, 0.001 and 5 %");
  assert.equal(written`${0}, ${-1}, ${-2e-4} and ${-0.5} %`, "0, -1, -2e-4 and -50 %");
});

Deno.test("percent() says 100 % of all and of nothing less", () => {
  const cases = [
    [1, "100 %"],
    [1 - 1e-12, "100 %"],
    [0.99996, "99.99 %"],
    [0.9999, "99.99 %"],
    [0.969, "96.9 %"],
    [
      0.00004,
      "0.004 %",
    ],
    [0, "0 %"],
    [1.35, "135 %"],
  ] as const;
  for (const [share, text] of cases) assert.equal(percent(share), text);
});

Deno.test("median() of two of the largest numbers is one of them", () => {
  assert.equal(median([1.7e308, 1.7e308]), 1.7e308);
});
