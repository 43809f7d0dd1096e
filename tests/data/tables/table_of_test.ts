/** Making tables by the dictionary. @module */
import assert from "node:assert/strict";
import { TABLES } from "../../../data/columns.ts";
import { columnArray } from "../../../data/tables/column_array.ts";
import { columnOrder, emptyTable, tableOf, tableOfRows } from "../../../data/tables/table_of.ts";

Deno.test("tableOf() puts columns in the dictionary's order and rounds float32", () => {
  const table = tableOf("completions", { reward: [0.1, 1], "reward.format": [0.1, null], train_step: [1, 1] });
  assert.deepEqual(table.columnNames(), ["train_step", "reward", "reward.format"]);
  assert.ok(columnArray(table, "train_step") instanceof Int32Array);
  assert.equal(table.get("reward", 0), Math.fround(0.1));
  assert.deepEqual(table.array("reward.format"), [Math.fround(0.1), null]);
});

Deno.test("tableOf() refuses unknown columns, unequal lengths and values that do not fit", () => {
  assert.throws(
    () => tableOf("metrics", { train_step: [1], grad_nrom: [1] }),
    /Cannot store column "grad_nrom" in table "metrics".*did you mean "grad_norm"\?/,
  );
  assert.throws(
    () => tableOf("metrics", { loss: [1, 2], train_step: [1] }),
    /column "loss" has 2 rows, "train_step" has 1/,
  );
  for (
    const [columns, message] of [
      [{ train_step: [1.5] }, /row 0 of column "train_step" of table "metrics": it is number 1.5, want an integer/],
      [{ train_step: [2 ** 31] }, /want an integer of 32 bits/],
      [{ train_step: [NaN] }, /number NaN, want an integer/],
      [{ loss: ["0.0"] }, /it is the text "0.0", want a number/],
      [{ phase: [3] }, /want a text or null/],
    ] as const
  ) assert.throws(() => tableOf("metrics", columns), message);
  assert.throws(() => tableOf("findings", { evidence: [{ line: 1 }] }), /a Object, want a JSON text/);
  assert.throws(() => tableOf("completions", { token_ids: [[1, 0.5]] }), /a list, want a list of integers/);
});

Deno.test("tableOfRows() fills what a row lacks with null; without rows every column is there, empty", () => {
  const table = tableOfRows("updates", [{ train_step: 1, loss: NaN }, { train_step: 2, applied: true }]);
  assert.deepEqual(table.objects(), [
    { train_step: 1, loss: NaN, applied: null },
    { train_step: 2, loss: null, applied: true },
  ]);
  const empty = tableOfRows("updates", []);
  assert.equal(empty.numRows(), 0);
  assert.deepEqual(empty.columnNames(), Object.keys(TABLES.updates));
  assert.deepEqual(emptyTable("updates").columnNames(), empty.columnNames());
});

Deno.test("columnOrder() does not depend on the order given", () => {
  const order = ["prompt_id", "prompt", "a", "b"];
  assert.deepEqual(columnOrder("prompts", ["b", "prompt", "a", "prompt_id"]), order);
});

Deno.test("tableOf() holds a task's nested column as JSON text", () => {
  const table = tableOf("prompts", { prompt: ["p", "q"], grid: [{ a: [1] }, "text"] });
  assert.deepEqual(table.array("grid"), ['{"a":[1]}', '"text"']);
});
