/** L* by hand. @module */
import assert from "node:assert/strict";
import { expectedLoss } from "../../../data/signals/expected_loss.ts";

Deno.test("expectedLoss() agrees with hand numbers", () => {
  const advantages = [1, -1], tokens = [1, 3];
  assert.equal(expectedLoss("sequence_mean", advantages, tokens), 0); // -(1 - 1) / 2
  assert.equal(expectedLoss("token_mean", advantages, tokens), 0.5); // -(1 - 3) / 4
  assert.equal(expectedLoss("sequence_sum_norm", advantages, tokens, 4), 0.25); // -(1 - 3) / (2 · 4)
  assert.equal(Math.abs(expectedLoss("token_mean", advantages, [2, 2])!), 0); // equal lengths: the benign zero
});

Deno.test("expectedLoss() is null without tokens, NaN with a NaN advantage, and refuses unequal lists", () => {
  assert.equal(expectedLoss("token_mean", [1], [0]), null);
  assert.ok(Number.isNaN(expectedLoss("token_mean", [NaN, 1], [1, 1])));
  assert.equal(expectedLoss("sequence_mean", [1, -3], [0, 2]), 1.5);
  assert.throws(() => expectedLoss("token_mean", [1], []), RangeError);
  assert.throws(() => expectedLoss("sequence_sum_norm", [1], [1]), /length 0, want at least 1/);
});
