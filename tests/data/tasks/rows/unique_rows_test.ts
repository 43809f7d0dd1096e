import assert from "node:assert/strict";
import { integer } from "../../../../data/random.ts";
import { uniqueRows } from "../../../../data/tasks/rows/unique_rows.ts";

Deno.test("uniqueRows() keeps the first of each key in drawing order and skips null", () => {
  let row = 0;
  const draw = () => {
    const i = row++;
    return i % 2 ? null : Math.floor(i / 4);
  };
  assert.deepEqual(uniqueRows(3, "test", draw, String), [0, 1, 2]);
});

Deno.test("uniqueRows() draws by stream, row and place in the row", () => {
  const rows = uniqueRows(2, "test", (below) => [below(1000), below(10)], String);
  assert.deepEqual(rows, [0, 1].map((row) => [integer(0, "test", 0, row, 0, 1000), integer(0, "test", 0, row, 1, 10)]));
  assert.deepEqual(uniqueRows(1, "test", (below) => below(1000), String, 7), [integer(7, "test", 0, 0, 0, 1000)]);
});

Deno.test("uniqueRows() ends when nothing new comes", () => {
  let drawn = 0;
  const draw = () => {
    assert(drawn < 100_000, "it goes on drawing");
    return drawn++ % 3;
  };
  assert.deepEqual(uniqueRows(10, "test", draw, String), [0, 1, 2]);
});
