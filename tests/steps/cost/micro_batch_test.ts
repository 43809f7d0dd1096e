/** How much of a batch a step computes at once. */
import assert from "node:assert/strict";
import { microBatch } from "../../../steps/cost/micro_batch.ts";

Deno.test("microBatch() takes what the option says, else what the budget holds, at least one", () => {
  const batch = { option: "prompts_per_pass", asked: undefined, most: 9, bytesOf: (count: number) => 10 * count };
  assert.deepEqual(microBatch({ free: null }, batch), { count: 9, bytes: 90 });
  assert.deepEqual(microBatch({}, { ...batch, asked: 4 }), { count: 4, bytes: 40 });
  assert.deepEqual(microBatch({ free: 5 }, { ...batch, asked: 20 }), { count: 9, bytes: 90 });
  const chosen = (value: number) => ({ option: "prompts_per_pass", value });
  assert.deepEqual(microBatch({ free: 35 }, batch), { count: 3, bytes: 30, chosen: chosen(3) });
  assert.deepEqual(microBatch({ free: 5 }, batch), { count: 1, bytes: 10, chosen: chosen(1) });
});
