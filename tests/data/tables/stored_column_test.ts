import assert from "node:assert/strict";
import { columnFromArray, columnFromValues, float32, utf8 } from "@uwdata/flechette";
import type { FileColumn } from "../../../data/tables/arrow_file.ts";
import { StoredColumn } from "../../../data/tables/stored_column.ts";

function stretch(column: unknown, rows: number, filled: string[] = [], name = "x") {
  const stored = { name, type: null, column: column as FileColumn["column"], fill: () => void filled.push(name) };
  return { rows, stored };
}

const texts = (...values: (string | null)[]) => columnFromValues<unknown>(values, utf8());

Deno.test("a column reads the stretch of a row that is looked at, and no other", () => {
  const filled: string[] = [];
  const column = new StoredColumn([
    stretch(texts("a", "b"), 2, filled, "first"),
    { rows: 2, stored: null },
    stretch(texts("c", null), 2, filled, "third"),
  ], false);
  assert.deepEqual([column.length, filled.length], [6, 0]);
  assert.equal(column.at(4), "c");
  assert.deepEqual(new Set(filled), new Set(["third"]));
  assert.deepEqual([5, 0, 3, 1, 2].map((row) => column.at(row)), [null, "a", null, "b", null]);
  assert.deepEqual([column.at(-1), column.at(6)], [undefined, undefined]);
  assert.deepEqual([...column], ["a", "b", null, null, "c", null]);
});

Deno.test("numbers that are all there become one typed array, made once; others a plain one", () => {
  const numbers = (...values: number[]) => columnFromArray(Float32Array.from(values));
  const whole = new StoredColumn([stretch(numbers(1, 2), 2), stretch(numbers(3), 1)], true);
  assert.equal(whole.at(2), 3);
  assert.deepEqual(whole.toArray(), Float32Array.of(1, 2, 3));
  assert.equal(whole.toArray(), whole.toArray());
  const absent = new StoredColumn([stretch(numbers(1), 1), { rows: 1, stored: null }], true);
  assert.deepEqual(absent.toArray(), [1, null]);
  const some = new StoredColumn([stretch(columnFromValues([1, null], float32()), 2)], true);
  assert.deepEqual([some.at(0), some.at(1)], [1, null]);
});
