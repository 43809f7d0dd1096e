/** Rows are put below each other, cut off at either end, and sliced by train step. @module */
import assert from "node:assert/strict";
import { tableOfRows } from "../../../data/tables/mod.ts";
import { append, between, dropBefore, type Finished, truncate } from "../../../workflows/store/finished_rows.ts";

/** Two rows per train step, written apart. */
function filled(steps: number): Finished {
  const rows: Finished = { columns: new Map(), parts: [], count: 0 };
  for (let step = 1; step <= steps; step++) {
    for (const loss of [step, step + 0.5]) append(rows, tableOfRows("metrics", [{ train_step: step, loss }]), step);
  }
  return rows;
}

const losses = (rows: Finished, from = 0, to = 99) => between(rows, from, to).columns.get("loss") ?? [];

Deno.test("dropBefore() keeps the train steps from the first on, and says where they begin", () => {
  const rows = filled(4);
  assert.equal(dropBefore(rows, 1), 0);
  assert.equal(dropBefore(rows, 3), 3);
  assert.deepEqual(losses(rows), [3, 3.5, 4, 4.5]);
  assert.equal(rows.count, 4);
  truncate(rows, 4);
  assert.deepEqual(losses(rows), [3, 3.5]);
});

Deno.test("between() has the rows of both ends of a window", () => {
  assert.deepEqual(losses(filled(4), 2, 3), [2, 2.5, 3, 3.5]);
  assert.deepEqual(losses(filled(4), 5, 9), []);
});

Deno.test("dropBefore() bounds the rows and never splits a train step", () => {
  const rows: Finished = { columns: new Map(), parts: [], count: 0 };
  const many = tableOfRows("metrics", Array.from({ length: 25_000 }, () => ({ train_step: 1, loss: 1 })));
  for (const step of [1, 1, 2, 2]) append(rows, many, step);
  assert.equal(dropBefore(rows, 0), 2);
  assert.deepEqual([rows.count, between(rows, 0, 9).rows], [50_000, 50_000]);
  append(rows, many, 3);
  append(rows, many, 3);
  append(rows, many, 3);
  assert.equal(dropBefore(rows, 0), 4);
  assert.equal(rows.count, 0);
});
