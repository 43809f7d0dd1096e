import assert from "node:assert/strict";
import { remax } from "../../../steps/advantages/remax.ts";

Deno.test("remax.advantages() takes the greedy completion's reward off the return of each counted token", () => {
  const batch = {
    rewards: [1, 3, 2],
    groups: [0, 1, 2],
    lengths: [2, 1, 1],
    masks: [[1, 1], [1, 0], [1]],
    tokenRewards: [[-0.25, 0], [0, 0], [0]],
    baselines: [0.5, 1, null],
  };
  const { tokens, returns } = remax.advantages({}, batch);
  assert.deepEqual(tokens, [[0.25, 0.5], [2, 0], [0]]);
  assert.deepEqual(returns, [[0.75, 1], [3, 0], [0]]);
});
