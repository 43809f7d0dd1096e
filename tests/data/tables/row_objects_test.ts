import assert from "node:assert/strict";
import { desc, from } from "arquero";
import { rowObjects } from "../../../data/tables/mod.ts";

Deno.test("rowObjects() are Arquero's objects of all rows, in the table's order, filtered or not", () => {
  const table = from([{ a: 1, b: "x" }, { a: 3, b: null }, { a: 2, b: "z" }]);
  for (const one of [table, table.orderby(desc("a")), table.filter((row: { a: number }) => row.a > 1)]) {
    assert.deepEqual(rowObjects(one), one.objects({ limit: Infinity }));
  }
});
