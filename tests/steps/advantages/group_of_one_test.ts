import assert from "node:assert/strict";
import { comparedInGroups, GROUP_OF_ONE, leastGroup } from "../../../steps/advantages/group_of_one.ts";

Deno.test("comparedInGroups() compares with the group, and treats a lonely completion as it is told", () => {
  const batch = { rewards: [3, 1, 7, null, 5], groups: [0, 0, 1, 1, 2] };
  const values = (alone: "refuse" | "zero" | "reward", itself?: (reward: number) => number) =>
    comparedInGroups(batch, alone, (reward, { mean }) => reward - mean, itself);
  assert.deepEqual(values("refuse"), [1, -1, 0, 0, NaN]);
  assert.deepEqual(values("zero"), [1, -1, 0, 0, 0]);
  assert.deepEqual(values("reward"), [1, -1, 0, 0, 5]);
  assert.deepEqual(values("reward", (reward) => reward / 2), [1, -1, 0, 0, 2.5]);
});

Deno.test("leastGroup() is two only where a lonely completion is refused, which is the default", () => {
  assert.equal(GROUP_OF_ONE.parse(undefined), "refuse");
  const least = GROUP_OF_ONE.unwrap().options.map((group_of_one) => leastGroup({ group_of_one }));
  assert.deepEqual(least, [2, 1, 1]);
});
