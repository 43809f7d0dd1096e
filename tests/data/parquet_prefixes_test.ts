import assert from "node:assert/strict";
import { parquetMetadata } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { parquetWriteBuffer } from "hyparquet-writer";
import { prefixBytes } from "../../data/parquet_prefixes.ts";

function prefixesOf(data: (string | null)[], encoding: "DELTA_BYTE_ARRAY" | "PLAIN"): number {
  const file = parquetWriteBuffer({ columnData: [{ name: "text", data, encoding }], codec: "UNCOMPRESSED" });
  const metadata = parquetMetadata(file), chunk = metadata.row_groups[0]!.columns[0]!.meta_data!;
  const start = Number(chunk.data_page_offset);
  const reader = { view: new DataView(file, start), offset: 0 };
  const header = parquetHeader(reader);
  const page = new Uint8Array(file, start + reader.offset, header.compressed_page_size);
  return prefixBytes(page, header, chunk, metadata.schema, {});
}

Deno.test("prefixBytes() sums what each value takes over from the one before", () => {
  assert.equal(prefixesOf(["step", "steps", "stem", "x"], "DELTA_BYTE_ARRAY"), 4 + 3);
  assert.equal(prefixesOf(["step", null, "steps"], "DELTA_BYTE_ARRAY"), 4);
  assert.equal(prefixesOf(["step", "steps"], "PLAIN"), 0);
});
