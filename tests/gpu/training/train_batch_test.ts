import assert from "node:assert/strict";
import {
  type InputRows,
  inputRows,
  rowsOfSlice,
  type Slice,
  slicesOf,
  type TrainBatch,
  type TrainSettings,
} from "../../../gpu/training/train_batch.ts";
import { imagesOf, promptIds } from "../../../gpu/models/vision/image_input.ts";
import type { Unit } from "../../../gpu/losses/objective.ts";
import type { Loss } from "../../../gpu/losses/mod.ts";

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

const settings = (loss: Loss): TrainSettings => ({ loss, aggregation: "token_mean", temperature: 1 });
const lists = ({ rows }: InputRows) => rows.map((row) => Array.from(row));

Deno.test("slicesOf() hands the images of prompts on", () => {
  const image = { id: "a", grid: { h: 2, w: 2 }, patches: () => Promise.reject(new Error("not asked for")) };
  const prompts = [...BATCH.prompts.slice(0, 2), promptIds(Int32Array.of(3), [image])];
  const slices = slicesOf({ ...BATCH, prompts }, 2);
  assert.deepEqual(slices.map(({ prompts }) => prompts.map(imagesOf)), [[[], []], [[image]]]);
});

Deno.test("inputRows() spreads advantages over tokens, counts every token by default and weighs it", () => {
  const { inputs, tokens } = inputRows({ ...BATCH, inputs: { advantages: [1, 2, 3, 4, 5, 6] } }, settings(CLIPPED));
  assert.deepEqual(lists(inputs.advantages!), [[1, 1], [2], [3], [4], [5, 5, 5], [6]]);
  assert.deepEqual(lists(inputs.completion_mask!), [[1, 1], [1], [1], [1], [1, 1, 1], [1]]);
  assert.deepEqual(lists(inputs.coefficients!).flat(), Array(9).fill(1 / 9));
  assert.equal(tokens, 9);
  assert.deepEqual(Object.keys(inputs), ["advantages", "completion_mask", "coefficients"]);
});

Deno.test("inputRows() names what is missing and what has another length", () => {
  assert.throws(() => inputRows(BATCH, settings(CLIPPED)), /it reads "advantages", which the batch has not/);
  assert.throws(
    () => inputRows({ ...BATCH, inputs: { advantages: [[1], [2], [3], [4], [5, 5, 5], [6]] } }, settings(CLIPPED)),
    /"advantages" of completion 0 has 1 values, want 2/,
  );
  assert.throws(
    () => inputRows({ ...BATCH, completionMask: [[1, 1]] }, settings({ objective: "cross_entropy" })),
    /"completion_mask" of completion 1 has 0 values, want 1/,
  );
  assert.throws(
    () => inputRows({ ...BATCH, inputs: { advantages: [1, 2, 3, 4, 5, 6, 7] } }, settings(CLIPPED)),
    /"advantages" has 7 rows, want 6/,
  );
});

Deno.test("rowsOfSlice() gives each part its rows: per completion, per pair, and what is the batch's to all", () => {
  const [first, second] = slicesOf(BATCH, 2) as [Slice, Slice];
  const rows = (unit: Unit, list: number[]) => ({ unit, rows: list.map((x) => [x]) });
  assert.deepEqual(rowsOfSlice(rows("sequence", [0, 1, 2, 3, 4, 5]), second), [[4], [5]]);
  assert.deepEqual(rowsOfSlice(rows("pair", [0, 1, 2]), first), [[0], [1]]);
  assert.deepEqual(rowsOfSlice(rows("pair", [0, 1, 2]), second), [[2]]);
  for (const slice of [first, second]) assert.deepEqual(rowsOfSlice(rows("value", [7]), slice), [[7]]);
});
