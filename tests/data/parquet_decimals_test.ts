import assert from "node:assert/strict";
import { ParquetFile } from "../../data/parquet_file.ts";
import { exactDecimals } from "../../data/parquet_decimals.ts";

const golden = new URL("../goldens/datasets/exact_gzip.parquet", import.meta.url);

Deno.test("exactDecimals() leaves the file's own metadata, and converts integers and bytes of any length", async () => {
  const { metadata } = await ParquetFile.open(Deno.readFileSync(golden));
  const exact = exactDecimals(metadata), types = (of: typeof metadata) => of.schema.map((e) => e.converted_type);
  assert(types(metadata).includes("DECIMAL"));
  assert(!types(exact.metadata).includes("DECIMAL"));
  const stored = { price: 115, wide: new Uint8Array([0xff, 0x7f]), whole: -3n, tags: ["x"] };
  assert.deepEqual(exact.convert([stored]), [{ price: "1.15", wide: "-1.29", whole: "-3", tags: ["x"] }]);
});

Deno.test("exactDecimals() does nothing where a file holds none", async () => {
  const { metadata } = await ParquetFile.open(Deno.readFileSync(golden));
  const none = { ...metadata, schema: [{ ...metadata.schema[0]!, num_children: 0 }] };
  assert.equal(exactDecimals(none).metadata, none);
});
