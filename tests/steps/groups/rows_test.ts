import assert from "node:assert/strict";
import { table } from "arquero";
import { joinRows, pickRows } from "../../../steps/groups/rows.ts";

const completions = table({ prompt_id: [1, 2, 3], token_ids: [[1], [2, 3], []], "reward.format": [0, 1, null] });

Deno.test("pickRows() takes rows with lists and rewards of their own, in the order given", () => {
  const picked = pickRows(completions, [2, 0]);
  assert.deepEqual(Array.from(picked.array("prompt_id")), [3, 1]);
  assert.deepEqual(Array.from(picked.array("token_ids"), (ids) => [...ids as number[]]), [[], [1]]);
  assert.deepEqual(Array.from(picked.array("reward.format")), [null, 0]);
});

Deno.test("joinRows() puts tables below each other, null where one lacks a column", () => {
  const joined = joinRows([pickRows(completions, [0]), table({ prompt_id: [7], replayed_from: [3] })]);
  assert.deepEqual(Array.from(joined.array("prompt_id")), [1, 7]);
  assert.deepEqual(Array.from(joined.array("replayed_from")), [null, 3]);
});
