import assert from "node:assert/strict";
import { groupMoments, zeroSpreadFraction } from "../../../../steps/advantages/statistics/group_moments.ts";

Deno.test("groupMoments() collects members that are not adjacent", () => {
  assert.deepEqual(groupMoments([1, 10, 3, 30], [0, 1, 0, 1]).map(({ mean }) => mean), [2, 20]);
});

Deno.test("zeroSpreadFraction() counts equal groups, not groups with one scored completion", () => {
  const groups = groupMoments([1, 1, 0, 1, 5, null, null, null], [0, 0, 1, 1, 2, 2, 3, 3]);
  assert.equal(zeroSpreadFraction(groups), 1 / 4);
});
