import assert from "node:assert/strict";
import { whitenOverTokens, whitenTokens } from "../../../data/statistics/token_whitening.ts";

Deno.test("whitenOverTokens() equals whitening the tokens written out", () => {
  const tokens = [1, 1, 1, 0, 4, 4];
  const mean = tokens.reduce((a, b) => a + b) / 6;
  const variance = tokens.reduce((a, b) => a + (b - mean) ** 2, 0) / 5;
  const actual = whitenOverTokens([1, 0, 4], [3, 1, 2]);
  [1, 0, 4].forEach((value, i) => assert(Math.abs(actual[i]! - (value - mean) / Math.sqrt(variance)) < 1e-6));
});

Deno.test("whitenOverTokens() refuses fewer than two tokens", () => {
  assert.throws(() => whitenOverTokens([1, null], [1, 8]), /1 scored completion tokens, want at least 2/);
});

Deno.test("whitenOverTokens() gives zeros where nothing is scored", () => {
  assert.deepEqual(whitenOverTokens([null, null], [3, 8]), [0, 0]);
});

Deno.test("whitenTokens() whitens what counts: with Bessel's correction, without it, by the mean only, about the mean", () => {
  const values = [[1, 3], [5, 99]], masks = [[1, 1], [1, 0]];
  const close = (how: Parameters<typeof whitenTokens>[2], want: readonly number[]) =>
    whitenTokens(values, masks, how).flat().forEach((value, i) =>
      assert(Math.abs(value - want[i]!) < 1e-6, String(value))
    );
  close(undefined, [-1, 0, 1, 48]);
  const biased = Math.sqrt(8 / 3);
  close({ variance: "biased" }, [-2 / biased, 0, 2 / biased, 96 / biased]);
  close({ variance: "biased", divide: false }, [-2, 0, 2, 96]);
  close({ variance: "unbiased", keepMean: true }, [2, 3, 4, 51]);
});

Deno.test("whitenTokens() of equal values: 0 without Bessel's correction, the rounding of verl's counts with it", () => {
  assert.deepEqual(whitenTokens([[2, 2]], [[1, 1]], { variance: "biased" }), [[0, 0]]);
  assert(Math.abs(whitenTokens([[2, 2]], [[1, 1]])[0]![0]!) < 1e-3);
  assert.throws(
    () => whitenTokens([[1]], [[0]], { variance: "biased" }),
    /0 scored completion tokens, want at least 1/,
  );
});
