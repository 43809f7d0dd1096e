/** Tables below each other. @module */
import assert from "node:assert/strict";
import { columnArray } from "../../../data/tables/column_array.ts";
import { concatTables } from "../../../data/tables/concat.ts";
import { emptyTable, tableOf } from "../../../data/tables/table_of.ts";

Deno.test("concatTables() keeps the union of the columns, null where a table lacks one", () => {
  const a = tableOf("metrics", { train_step: [1, 2], loss: [0.5, NaN] });
  const b = tableOf("metrics", { train_step: [3], kl: [0.1] });
  const all = concatTables("metrics", [emptyTable("metrics"), a, b]);
  assert.deepEqual(all.objects(), [
    { train_step: 1, loss: 0.5, kl: null },
    { train_step: 2, loss: NaN, kl: null },
    { train_step: 3, loss: null, kl: 0.1 },
  ]);
  assert.ok(columnArray(all, "train_step") instanceof Int32Array);
});

Deno.test("concatTables() of nothing is the empty table, of one the table itself", () => {
  assert.equal(concatTables("metrics", []).numRows(), 0);
  const one = tableOf("metrics", { train_step: [1] });
  assert.equal(concatTables("metrics", [one]), one);
});

Deno.test("concatTables() respects filters", () => {
  const a = tableOf("metrics", { train_step: [1, 2, 3] }).filter("d => d.train_step != 2");
  assert.deepEqual([...concatTables("metrics", [a, a]).array("train_step")], [1, 3, 1, 3]);
});
