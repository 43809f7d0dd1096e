import assert from "node:assert/strict";
import { cellOf, columnsOf, isObject, pathsIn } from "../../../data/datasets/cells.ts";

Deno.test("cellOf() follows a dotted path, and takes a column of that very name first", () => {
  const row = { a: { b: { c: 1 }, "x.y": 2 }, "a.b": 3, list: [{ b: 4 }], none: null };
  const cells = ["a.b", "a.b.c", "a.x.y", "a.x", "list.length", "none.b", "absent", "a.constructor"];
  assert.deepEqual(cells.map((name) => cellOf(row, name)), [3, undefined, 2, ...Array(5).fill(undefined)]);
  assert.equal(cellOf({ a: { b: { c: 1 } } }, "a.b.c"), 1);
  assert.deepEqual(["list.0.b", "list.1.b", "list.0"].map((name) => cellOf(row, name)), [4, undefined, { b: 4 }]);
  assert.deepEqual(columnsOf("a.b.c"), ["a.b.c", "a.b", "a"]);
  assert(columnsOf(".".repeat(1e6)).length < 20);
});

Deno.test("pathsIn() names the fields that are no objects themselves", () => {
  assert.deepEqual(pathsIn({ a: { b: 1 }, c: [2] }, "r"), ["r.a.b", "r.c"]);
  assert.deepEqual([{}, null, [], "a", new Date(0)].map(isObject), [true, false, false, false, false]);
});
