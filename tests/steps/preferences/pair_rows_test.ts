import assert from "node:assert/strict";
import { tableOf } from "../../../data/tables/mod.ts";
import { pairBatch, pairRows, ranked } from "../../../steps/preferences/pair_rows.ts";

const policy = {
  encodePrompt: (text: string) => Int32Array.from(text, (c) => c.charCodeAt(0)),
  encodeCompletion: (_: string, text: string) => Int32Array.from([...Array.from(text, (c) => c.charCodeAt(0)), 1]),
};
const preferences = (columns: Record<string, unknown[]>) =>
  tableOf("preferences", { prompt: ["p", "q", "r"], split: ["train", "train", "held_out"], ...columns });

Deno.test("pairRows() reads pairs by split, with an end of sequence, and counts those of one completion twice", () => {
  const pairs = pairRows(preferences({ chosen: ["a", "b", "c"], rejected: ["x", "b", "c"] }), policy);
  assert.deepEqual([pairs.train.length, pairs.validation.length, pairs.held_out.length], [2, 0, 1]);
  assert.equal(pairs.identical, 1);
  assert.deepEqual(Array.from(pairs.train[0]!.chosen), [97, 1]);
});

Deno.test("pairRows() refuses labelled completions, and pairs of which none is to train on", () => {
  const labelled = preferences({ completion: ["a", "b", "c"], label: [true, false, true] });
  assert.throws(() => pairRows(labelled, policy), /holds labelled completions, want pairs; load pairs/);
  const held = tableOf("preferences", { prompt: ["p"], chosen: ["a"], rejected: ["b"], split: ["held_out"] });
  assert.throws(() => pairRows(held, policy), /has no pair of split "train"/);
});

Deno.test("pairBatch() puts the chosen first and reads both at their end; ranked() counts it above the rejected", async () => {
  const { train } = pairRows(preferences({ chosen: ["a", "b", "c"], rejected: ["xy", "b", "c"] }), policy);
  const batch = pairBatch(train, 0.5);
  assert.deepEqual(batch.completions.map((row) => Array.from(row)), [[97, 1, 0], [120, 121, 1, 0], [98, 1, 0], [
    98,
    1,
    0,
  ]]);
  assert.deepEqual(Array.from(batch.completionMask![1]!), [0, 0, 0, 1]);
  assert.deepEqual([batch.group, batch.inputs], [2, { margin: [0.5, 0.5] }]);
  // A score is the last value: that of a longer row is larger here, and equal scores are no right order.
  const model = { values: () => Promise.resolve(batch.completions.map((row) => Float32Array.of(9, -row.length))) };
  assert.equal(await ranked({ model } as unknown as Parameters<typeof ranked>[0], train), 0.5);
  assert.equal(await ranked({ model } as unknown as Parameters<typeof ranked>[0], []), null);
});
