import assert from "node:assert/strict";
import { whitenOverTokens } from "../../../data/statistics/token_whitening.ts";

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
