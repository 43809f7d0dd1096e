import assert from "node:assert/strict";
import { topEntropyMask } from "../../../steps/training/top_entropy.ts";

Deno.test("topEntropyMask() keeps what is at or above the interpolated quantile of counted tokens", () => {
  const entropy = [[1, 2, 9], [3, 4, 5]], mask = [[1, 1, 0], [1, 1, 1]];
  const rows = (fraction: number) => topEntropyMask(entropy, mask, fraction).map((row) => [...row]);
  assert.deepEqual(rows(0.5), [[0, 0, 0], [1, 1, 1]]); // quantile 0.5 is 3 itself
  assert.deepEqual(rows(0.45), [[0, 0, 0], [0, 1, 1]]); // 3.2
  assert.deepEqual(rows(1), [[1, 1, 0], [1, 1, 1]]);
  assert.deepEqual(topEntropyMask([[1, 2]], [[0, 0]], 0.5).map((row) => [...row]), [[0, 0]]);
});
