import assert from "node:assert/strict";
import { groupMoments, uniqueFraction, zeroSpreadFraction } from "../../../data/statistics/group_spread.ts";

Deno.test("groupMoments() collects members that are not adjacent", () => {
  assert.deepEqual(groupMoments([1, 10, 3, 30], [0, 1, 0, 1]).map(({ mean }) => mean), [2, 20]);
});

Deno.test("zeroSpreadFraction() is the share of all groups whose scored rewards are equal, at least two of them", () => {
  assert.equal(zeroSpreadFraction([1, 1, 0, 1], [0, 0, 1, 1]), 0.5);
  assert.equal(zeroSpreadFraction([1, 1, 0, 1, 5, null, null, null], [0, 0, 1, 1, 2, 2, 3, 3]), 1 / 4);
  assert.equal(zeroSpreadFraction([null, 1, 2, null], [0, 0, 1, 1]), 0, "one scored completion is no equal group");
  assert.equal(zeroSpreadFraction([null, null], [0, 0]), null);
});

Deno.test("zeroSpreadFraction() takes float noise for equal, and NaN for different", () => {
  assert.equal(zeroSpreadFraction([0.3, 0.1 + 0.2, 0.3, 0.4], [0, 0, 1, 1]), 0.5);
  assert.equal(zeroSpreadFraction([0, 1e-6], [0, 0]), 0);
  assert.equal(zeroSpreadFraction([NaN, NaN], [0, 0]), 0);
});

Deno.test("uniqueFraction() is 1/G for identical and 1 for different completions", () => {
  assert.equal(uniqueFraction(["a", "a", "a", "a"], [0, 0, 0, 0]), 0.25);
  assert.equal(uniqueFraction(["a", "b", "a", "a"], [0, 0, 1, 1]), 0.75);
  assert.equal(uniqueFraction([], []), null);
});
