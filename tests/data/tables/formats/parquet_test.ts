/** Parquet, read by hyparquet. @module */
import assert from "node:assert/strict";
import { parquetReadObjects } from "hyparquet";
import { toParquet } from "../../../../data/tables/formats/parquet.ts";
import { tableOf } from "../../../../data/tables/table_of.ts";

Deno.test("toParquet() keeps null, NaN and texts", async () => {
  const columns = { train_step: [1, 2], text: ["é", null], truncated: [true, null], reward: [NaN, null] };
  const bytes = toParquet("completions", tableOf("completions", { ...columns, token_ids: [[1, 2], null] }));
  const rows = await parquetReadObjects({ file: bytes.buffer as ArrayBuffer });
  assert.deepEqual(rows.map((row) => ({ ...row })), [
    { train_step: 1, text: "é", truncated: true, reward: NaN, token_ids: "[1,2]" },
    { train_step: 2, text: null, truncated: null, reward: null, token_ids: null },
  ]);
});
