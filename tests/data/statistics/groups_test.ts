import assert from "node:assert/strict";
import { table } from "arquero";
import { groupNumbers, groupRows } from "../../../data/statistics/groups.ts";

Deno.test("groupNumbers() numbers groups as they appear, members apart or not", () => {
  const completions = table({ prompt_id: [9, 4, 9, 4], sample: [0, 0, 1, 1] });
  assert.deepEqual(groupNumbers(completions), [0, 1, 0, 1]);
});

Deno.test("groupNumbers() gives a prompt that was drawn twice two groups", () => {
  const completions = table({ prompt_id: [9, 9, 4, 4, 9, 9], sample: [0, 1, 0, 1, 0, 1] });
  assert.deepEqual(groupNumbers(completions), [0, 0, 1, 1, 2, 2]);
});

Deno.test("groupRows() has the row numbers of each group", () => {
  const completions = table({ prompt_id: [9, 4, 9, 4, 9], sample: [0, 0, 1, 1, 0] });
  assert.deepEqual(groupRows(completions), [[0, 2], [1, 3], [4]]);
});
