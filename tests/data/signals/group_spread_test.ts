/** Spread within groups, by hand. @module */
import assert from "node:assert/strict";
import { expectedZeroSpread, uniqueFraction, zeroSpreadFraction } from "../../../data/signals/group_spread.ts";

Deno.test("zeroSpreadFraction() counts groups of equal rewards; null is absent, NaN differs", () => {
  assert.equal(zeroSpreadFraction([0, 0, 1, 1], [1, 1, 0, 1]), 0.5);
  assert.equal(zeroSpreadFraction([0, 1, 0, 1], [1, 0, 1 + 1e-8, 0.5]), 0.5);
  assert.equal(zeroSpreadFraction([0, 0, 1], [null, 1, 1]), null);
  assert.equal(zeroSpreadFraction([0, 0], [NaN, NaN]), 0);
  assert.equal(zeroSpreadFraction([], []), null);
});

Deno.test("uniqueFraction() is 1/G for identical and 1 for different completions", () => {
  assert.equal(uniqueFraction([0, 0, 0, 0], ["a", "a", "a", "a"]), 0.25);
  assert.equal(uniqueFraction([0, 0, 1, 1], ["a", "b", "a", "a"]), 0.75);
  assert.equal(uniqueFraction([], []), null);
});

Deno.test("expectedZeroSpread() is p^G + (1-p)^G", () => {
  assert.equal(expectedZeroSpread(0.5, 2), 0.5);
  assert.equal(expectedZeroSpread(1, 8), 1);
  assert.ok(Math.abs(expectedZeroSpread(0.9, 2) - 0.82) < 1e-12);
});
