import assert from "node:assert/strict";
import { uniqueRows } from "../../../../data/tasks/rows/unique_rows.ts";

Deno.test("uniqueRows() keeps the first of each key in drawing order and skips null", () => {
  assert.deepEqual(uniqueRows(3, (i) => i % 2 ? null : Math.floor(i / 4), String), [0, 1, 2]);
});

Deno.test("uniqueRows() ends when nothing new comes", () => {
  const draw = (i: number) => {
    assert(i < 100_000, "it goes on drawing");
    return i % 3;
  };
  assert.deepEqual(uniqueRows(10, draw, String), [0, 1, 2]);
});
