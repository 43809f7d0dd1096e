/** Reading a column. @module */
import assert from "node:assert/strict";
import { columnArray } from "../../../data/tables/column_array.ts";
import { tableOf } from "../../../data/tables/table_of.ts";

Deno.test("columnArray() gives the typed array itself, a copy in order when filtered or ordered", () => {
  const steps = Int32Array.of(3, 1, 2);
  const table = tableOf("metrics", { train_step: steps });
  assert.equal(columnArray(table, "train_step"), steps);
  assert.deepEqual([...Array.from(columnArray(table.orderby("train_step"), "train_step"))], [1, 2, 3]);
  assert.deepEqual([...Array.from(columnArray(table.filter("d => d.train_step > 1"), "train_step"))], [3, 2]);
  assert.throws(() => columnArray(table, "train_stpe"), /the table lacks it; did you mean "train_step"\?/);
});
