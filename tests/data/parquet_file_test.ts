import assert from "node:assert/strict";
import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { ParquetFile } from "../../data/parquet_file.ts";

function written(rows: number, rowGroupSize = rows): Uint8Array {
  const columnData = [
    { name: "equal", data: new Int32Array(rows), type: "INT32" as const },
    { name: "text", data: Array.from({ length: rows }, (_, i) => `row ${i}`) },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize }));
}

Deno.test("ParquetFile reads the first rows of the columns that are wanted", async () => {
  const file = await ParquetFile.open(written(10, 4));
  assert.deepEqual([file.rows, file.columns], [10, ["equal", "text"]]);
  assert.deepEqual(await file.read(2, ["text"]), [{ text: "row 0" }, { text: "row 1" }]);
  assert.equal((await file.read()).length, 10);
});

Deno.test("ParquetFile bounds values and bytes of what is read, and of nothing else", async () => {
  const file = await ParquetFile.open(written(1000, 100));
  const values = { values: 1500, bytes: 1e9 };
  await assert.rejects(
    file.read(1000, file.columns, values),
    /it holds more than 1500 values in the columns that are read \(1000/,
  );
  assert.equal((await file.read(1000, ["equal"], values)).length, 1000);
  assert.equal((await file.read(600, file.columns, values)).length, 600);
  await assert.rejects(file.read(1000, ["text"], { values: 1e6, bytes: 1000 }), /more than 1000 bytes, decompressed/);
  const wide = { values: 1e6, bytes: 1e9, freely: 100 };
  await assert.rejects(
    file.read(1000, ["text"], { ...wide, expansion: 0.01 }),
    /more than 0.01 for each that is in the/,
  );
  await file.read(1000, ["text"], { ...wide, expansion: 1e6 });
});

Deno.test("ParquetFile believes the headers of the pages, not the footer", async () => {
  const file = await ParquetFile.open(written(50_000));
  // A footer that says less than the pages hold.
  for (const { meta_data: chunk } of file.metadata.row_groups[0]!.columns) chunk!.num_values = 1n;
  file.metadata.num_rows = 1n;
  await assert.rejects(file.read(1, file.columns, { values: 10_000, bytes: 1e9 }), /more than 10000 values/);
});

Deno.test("ParquetFile refuses a column outside of the file", async () => {
  const file = await ParquetFile.open(written(10));
  file.metadata.row_groups[0]!.columns[0]!.meta_data!.total_compressed_size = 1_000_000n;
  await assert.rejects(file.read(), /a column lies outside of the file/);
});

Deno.test("ParquetFile reads the beginning of a large row group: only its pages count", async () => {
  const data = Array.from({ length: 100_000 }, (_, i) => `row ${i}`);
  const file = await ParquetFile.open(
    new Uint8Array(
      parquetWriteBuffer({ columnData: [{ name: "text", data }], rowGroupSize: 100_000, pageSize: 10_000 }),
    ),
  );
  assert.equal((await file.read(10, ["text"], { values: 50_000, bytes: 1e9 })).length, 10);
  await assert.rejects(file.read(100_000, ["text"], { values: 50_000, bytes: 1e9 }), /more than 50000 values/);
});

Deno.test("ParquetFile counts the bytes that values repeat of the ones before", async () => {
  const data = Array.from({ length: 500 }, () => "a".repeat(20_000));
  for (const codec of ["SNAPPY", "UNCOMPRESSED"] as const) {
    const columnData = [{ name: "text", data, encoding: "DELTA_BYTE_ARRAY" as const }];
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData, codec }));
    assert(bytes.length < 300_000, `${bytes.length} bytes`);
    const file = await ParquetFile.open(bytes);
    await assert.rejects(
      file.read(500, ["text"], { values: 1e6, bytes: 9e6 }),
      /more than 9000000 bytes, decompressed/,
    );
    assert.equal((await file.read(500, ["text"], { values: 1e6, bytes: 11e6 })).length, 500);
  }
});

Deno.test("ParquetFile refuses a schema that is nested too deep", async () => {
  const groups = (depth: number) => {
    const group = { name: "a", num_children: 1, repetition_type: "OPTIONAL" as const };
    const schema: SchemaElement[] = [
      { name: "root", num_children: 1 },
      ...Array.from({ length: depth }, () => group),
      { name: "leaf", type: "INT32", repetition_type: "OPTIONAL" },
    ];
    return new Uint8Array(parquetWriteBuffer({ columnData: [{ name: "a", data: [null] }], schema }));
  };
  assert.deepEqual((await ParquetFile.open(groups(50))).columns, ["a"]);
  await assert.rejects(ParquetFile.open(groups(250)), /^RangeError: its schema has more than 200 lists and groups/);
});

Deno.test("ParquetFile says of what is no Parquet that it is none", async () => {
  for (const text of ["", "PAR1", "PAR1\0\0\0\0PAR1", "PARE\0\0\0\0PARE", "x".repeat(99)]) {
    await assert.rejects(ParquetFile.open(new TextEncoder().encode(text)), /^SyntaxError: it is no Parquet file/, text);
  }
});
