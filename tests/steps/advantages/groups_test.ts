import assert from "node:assert/strict";
import { table } from "arquero";
import { checkedGroups, tooSmall } from "../../../steps/advantages/groups.ts";

const rows = (prompts: readonly number[]) =>
  table({ prompt_id: prompts, sample: prompts.map((id, row) => row - prompts.indexOf(id)) });

Deno.test("checkedGroups() numbers groups, and refuses unequal ones, another size and too small ones", () => {
  assert.deepEqual(checkedGroups(rows([7, 7, 3, 3]), "grpo", 2), [0, 0, 1, 1]);
  assert.throws(
    () => checkedGroups(rows([7, 7, 3]), "grpo", 2),
    /Cannot split 3 completions into groups of 2: prompt 3 has 1/,
  );
  assert.throws(() => checkedGroups(rows([7, 7]), "grpo", 2, 4), /groups of 4: prompt 7 has 2/);
  assert.throws(() => checkedGroups(rows([7, 3]), "grpo", 2), new RegExp(tooSmall("grpo", 1, 2).slice(0, 60)));
  assert.throws(() => checkedGroups(rows([]), "grpo", 2), /table "completions" has no rows/);
});
