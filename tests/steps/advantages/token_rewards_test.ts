import assert from "node:assert/strict";
import {
  clipShaped,
  countedMasks,
  masked,
  onTokens,
  returnsToGo,
  spreadOverTokens,
} from "../../../steps/advantages/token_rewards.ts";

const batch = { rewards: [2, 5, null], groups: [0, 0, 0], lengths: [2, 0, 1], masks: [[1, 1, 0], [0], [1]] };

Deno.test("countedMasks() counts nothing of a completion that is not scored, and all where there is no mask", () => {
  assert.deepEqual(countedMasks(batch).map((mask) => Array.from(mask)), [[1, 1, 0], [0], [0]]);
  const { masks: _, ...without } = batch;
  assert.deepEqual(countedMasks(without).map((mask) => Array.from(mask)), [[1, 1], [], [0]]);
});

Deno.test("onTokens() puts a reward, clipped, on the last token that counts; without one it is lost", () => {
  const masks = countedMasks(batch),
    paid = { ...batch, shapedClip: [-1, 1] as const, tokenRewards: [[-3, 0, -5], [-1], [-1]] };
  assert.deepEqual(onTokens(batch.rewards, batch, masks), [[0, 2, 0], [0], [0]]);
  assert.deepEqual(onTokens(batch.rewards, paid, masks), [[-3, 1, -5], [-1], [-1]]);
  assert.equal(clipShaped(4, paid), 1);
  assert.equal(clipShaped(4, batch), 4);
});

Deno.test("returnsToGo() discounts over tokens that do not count, or skips them; what these earn is lost", () => {
  const rewards = [[1, 9, 4]], masks = [[1, 0, 1]];
  assert.deepEqual(returnsToGo(rewards, masks, 0.5), [[2, 2, 4]]);
  assert.deepEqual(returnsToGo(rewards, masks, 0.5, "skip"), [[3, 0, 4]]);
  assert.deepEqual(returnsToGo([[1, 2, 3]], [[1, 1, 1]], 1), [[6, 5, 3]]);
});

Deno.test("spreadOverTokens() gives every counted token the advantage, less what is paid from there on", () => {
  const { tokens } = spreadOverTokens([1, 1, 1], { ...batch, tokenRewards: [[-0.5, -0.25, -8], [0], [0]] });
  assert.deepEqual(tokens, [[0.25, 0.75, 0], [0], [0]]);
  assert.deepEqual(masked([[3, 4]], [[0, 1]]), [[0, 4]]);
});
