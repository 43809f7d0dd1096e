/** Parquet, read by hyparquet. @module */
import assert from "node:assert/strict";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { toParquet } from "../../../../data/tables/formats/parquet.ts";
import { tableOf } from "../../../../data/tables/table_of.ts";

Deno.test("toParquet() keeps null, NaN, texts and lists", async () => {
  const columns = {
    train_step: [1, 2, 3],
    text: ["é", null, ""],
    truncated: [true, null, false],
    reward: [NaN, null, -Infinity],
    token_ids: [[1, -2], null, []],
    old_logprobs: [[NaN, -0.5], [-1], null],
  };
  const bytes = toParquet("completions", tableOf("completions", columns));
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
  const { schema } = parquetMetadata(toParquet("completions", table).buffer as ArrayBuffer);
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
  const bytes = toParquet("findings", tableOf("findings", found));
  const [row] = await parquetReadObjects({ file: bytes.buffer as ArrayBuffer });
  assert.deepEqual([row!["codes"], row!["evidence"]], [["E01", "é"], "[1]"]);
});
