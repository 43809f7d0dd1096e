import assert from "node:assert/strict";
import { alignedCells, spansOf } from "../../../../../data/adapters/post/tables/aligned_cells.ts";
import { readPost, recordsOf } from "../read_post.ts";

const HEAD = "step    reward     loss";

Deno.test("alignedCells() leaves empty what stands under no cell, and reads none that stands between", () => {
  const of = (row: string) => alignedCells(row, spansOf(HEAD));
  assert.deepEqual(of(" 100    0.31       1.2"), ["100", "0.31", "1.2"]);
  assert.deepEqual(of(" 200               9.1"), ["200", "", "9.1"]);
  assert.deepEqual(of(" 200     9.1"), ["200", "9.1", ""]);
  assert.equal(of(" 200  1"), null);
});

Deno.test("a gap in a table of spaces moves no value into another column", async () => {
  const rows = [HEAD, " 100    0.31       1.2", " 200               9.1", " 300               9.5"];
  assert.deepEqual(recordsOf(await readPost(["GRPO, why is it so?", "", ...rows].join("\n"))), [
    "4 100 loss=1.2 reward=0.31",
    "5 200 loss=9.1",
    "6 300 loss=9.5",
  ]);
});
