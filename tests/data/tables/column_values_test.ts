/** The stored form of values. @module */
import assert from "node:assert/strict";
import { columnValues } from "../../../data/tables/column_values.ts";

Deno.test("columnValues() keeps null and NaN apart, in lists too", () => {
  const values = columnValues([null, NaN, undefined, 1], "float64", "x");
  assert.deepEqual(values, [null, NaN, null, 1]);
  const lists = columnValues([[NaN, 1], null, []], "list<float32>", "x") as (Float32Array | null)[];
  assert.deepEqual(lists, [Float32Array.of(NaN, 1), null, Float32Array.of()]);
});

Deno.test("columnValues() returns typed arrays without null, the same one when it fits", () => {
  const values = Float32Array.of(1, 2);
  assert.equal(columnValues(values, "float32", "x"), values);
  assert.deepEqual(columnValues(values, "float64", "x"), Float64Array.of(1, 2));
  assert.deepEqual(columnValues([1, 2], "int32", "x"), Int32Array.of(1, 2));
  assert.throws(() => columnValues(Float64Array.of(1.5), "int32", "x"), /row 0 of x/);
});

Deno.test("columnValues() hands a column that it made back as it is, for the same type only", () => {
  const made = columnValues([[1, 2], null], "list<int32>", "x");
  assert.equal(columnValues(made, "list<int32>", "x"), made);
  assert.deepEqual(columnValues(made, "list<float32>", "x"), [Float32Array.of(1, 2), null]);
});

Deno.test("columnValues() never converts between kinds", () => {
  assert.throws(() => columnValues([1], "bool", "x"), /want true, false or null/);
  assert.throws(() => columnValues([1n], "int32", "x"), TypeError);
  assert.throws(() => columnValues([new Date(0)], "utf8", "x"), /a Date, want a text/);
  assert.throws(() => columnValues([[1, null]], "list<int32>", "x"), TypeError);
});
