/** Parquet, read by hyparquet. @module */
import { concat } from "@deno/std/bytes/concat.js";
import assert from "node:assert/strict";
import type { ColumnTable } from "arquero";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import type { TableName } from "../../../../data/columns.ts";
import { toParquet } from "../../../../data/tables/formats/parquet.ts";
import { onePiece, tableOf } from "../../../../data/tables/mod.ts";

const written = (name: TableName, table: ColumnTable) => concat([...toParquet(onePiece(name, table))]);

Deno.test("toParquet() keeps null, NaN, texts and lists", async () => {
  const columns = {
    train_step: [1, 2, 3],
    text: ["é", null, ""],
    truncated: [true, null, false],
    reward: [NaN, null, -Infinity],
    token_ids: [[1, -2], null, []],
    old_logprobs: [[NaN, -0.5], [-1], null],
  };
  const bytes = written("completions", tableOf("completions", columns));
  const rows = await parquetReadObjects({ file: bytes.buffer as ArrayBuffer });
  const read = rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null])));
  assert.deepEqual(read, [
    { train_step: 1, text: "é", truncated: true, reward: NaN, token_ids: [1, -2], old_logprobs: [NaN, -0.5] },
    { train_step: 2, text: null, truncated: null, reward: null, token_ids: null, old_logprobs: [-1] },
    { train_step: 3, text: "", truncated: false, reward: -Infinity, token_ids: [], old_logprobs: null },
  ]);
});

Deno.test("toParquet() writes lists as columns of type LIST in three levels", () => {
  const table = tableOf("completions", { train_step: [1], token_ids: [[1]], old_logprobs: [[0.5]] });
  const { schema } = parquetMetadata(written("completions", table).buffer as ArrayBuffer);
  const shape = schema.map(({ name, type, converted_type, repetition_type }) => [
    name,
    type ?? converted_type ?? null,
    repetition_type ?? null,
  ]);
  assert.deepEqual(shape, [
    ["root", null, null],
    ["train_step", "INT32", "OPTIONAL"],
    ["token_ids", "LIST", "OPTIONAL"],
    ["list", null, "REPEATED"],
    ["element", "INT32", "OPTIONAL"],
    ["old_logprobs", "LIST", "OPTIONAL"],
    ["list", null, "REPEATED"],
    ["element", "FLOAT", "OPTIONAL"],
  ]);
});

Deno.test("toParquet() writes lists of texts, and texts that hold JSON as texts", async () => {
  const found = { train_step: [2], cause: ["nan_loss"], severity: ["error"], codes: [["E01", "é"]], evidence: ["[1]"] };
  const bytes = written("findings", tableOf("findings", found));
  const [row] = await parquetReadObjects({ file: bytes.buffer as ArrayBuffer });
  assert.deepEqual([row!["codes"], row!["evidence"]], [["E01", "é"], "[1]"]);
});

Deno.test("toParquet() writes pieces as they come, a row group each, with the columns of all", async () => {
  const pieces = [
    tableOf("completions", { train_step: [1, 2], text: ["a", "b"] }),
    tableOf("completions", { train_step: [3], reward: [0.5] }),
  ];
  let asked = 0;
  const counted = function* () {
    for (const piece of pieces) (asked++, yield piece);
  };
  const parts = toParquet({ name: "completions", columns: ["train_step", "text", "reward"], pieces: counted() });
  const first = parts.next().value!;
  assert.equal(asked, 1, "the second piece is not read before the first is written");
  const bytes = concat([first, ...parts]);
  assert.equal(parquetMetadata(bytes.buffer as ArrayBuffer).row_groups.length, 2);
  const rows = await parquetReadObjects({ file: bytes.buffer as ArrayBuffer });
  assert.deepEqual(rows.map(({ train_step, text, reward }) => [train_step, text ?? null, reward ?? null]), [
    [1, "a", null],
    [2, "b", null],
    [3, null, 0.5],
  ]);
});
