import assert from "node:assert/strict";
import { slicesOf, tokenRows, type TrainBatch } from "../../../gpu/training/train_batch.ts";
import type { Loss } from "../../../gpu/losses/objectives.ts";

const BATCH: TrainBatch = { prompts: [[1], [2], [3]], group: 2, completions: [[1, 2], [3], [4], [5], [6, 7, 8], [9]] };
const CLIPPED: Loss = {
  objective: "clipped",
  clipLow: 0.2,
  clipHigh: 0.2,
  ratioCap: null,
  ratioLevel: "token",
  onPolicy: true,
  kl: null,
};

Deno.test("slicesOf() keeps groups whole and says where each slice starts", () => {
  const slices = slicesOf(BATCH, 2);
  assert.deepEqual(slices.map(({ prompts, completions, first }) => [prompts, completions, first]), [
    [[[1], [2]], [[1, 2], [3], [4], [5]], 0],
    [[[3]], [[6, 7, 8], [9]], 4],
  ]);
  for (const most of [0, NaN]) assert.throws(() => slicesOf(BATCH, most), /slices of (0|NaN) prompts: want at least 1/);
  assert.throws(() => slicesOf({ ...BATCH, group: 3 }, 2), /6 completions: want 3 prompts times group 3/);
});

Deno.test("tokenRows() spreads advantages over tokens and counts every token by default", () => {
  const rows = tokenRows({ ...BATCH, advantages: [1, 2, 3, 4, 5, 6] }, CLIPPED);
  assert.deepEqual(rows.advantages!.map((row) => Array.from(row)), [[1, 1], [2], [3], [4], [5, 5, 5], [6]]);
  assert.deepEqual(rows.completion_mask.map((row) => Array.from(row)), [[1, 1], [1], [1], [1], [1, 1, 1], [1]]);
});

Deno.test("tokenRows() names what is missing and what has another length", () => {
  assert.throws(() => tokenRows(BATCH, CLIPPED), /it reads "advantages", which the batch has not/);
  assert.throws(
    () => tokenRows({ ...BATCH, advantages: [[1], [2], [3], [4], [5, 5, 5], [6]] }, CLIPPED),
    /"advantages" of completion 0 has 1 values, want 2/,
  );
  assert.throws(
    () => tokenRows({ ...BATCH, completionMask: [[1, 1]] }, { objective: "cross_entropy" }),
    /"completion_mask" of completion 1 has 0 values, want 1/,
  );
});
