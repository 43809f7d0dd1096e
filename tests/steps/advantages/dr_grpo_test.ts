import assert from "node:assert/strict";
import { drGrpo } from "../../../steps/advantages/dr_grpo.ts";

Deno.test("drGrpo.advantages() is the reward minus the group's mean, 0 for the only scored one and where all are equal", () => {
  const batch = { rewards: [1, 0, 0.1, 0.1, 7, null], groups: [0, 0, 1, 1, 2, 2], lengths: [] };
  assert.deepEqual(drGrpo.advantages({ group_of_one: "refuse" }, batch), [0.5, -0.5, 0, 0, 0, 0]);
});
