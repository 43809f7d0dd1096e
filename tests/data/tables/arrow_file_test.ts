import assert from "node:assert/strict";
import { join } from "node:path";
import { columnFromArray, Table, tableToIPC } from "@uwdata/flechette";
import { openArrowFile } from "../../../data/tables/arrow_file.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";

async function withFile(bytes: Uint8Array, body: (path: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir(), path = join(folder, "a.arrow");
  try {
    await Deno.writeFile(path, bytes);
    body(path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const ROWS = [{ train_step: 1, text: "first" }, { train_step: 2, text: "second" }];

Deno.test("openArrowFile() tells table, rows and columns, and reads a column's values when it is filled", () =>
  withFile(encodeTable("completions", tableOfRows("completions", ROWS)), (path) => {
    const { table, rows, columns } = openArrowFile(path);
    assert.deepEqual([table, rows, columns.map(({ name, type }) => [name, type])], [
      "completions",
      2,
      [["train_step", "int32"], ["text", "utf8"]],
    ]);
    const [steps, texts] = columns;
    assert.deepEqual(steps!.column.toArray(), Int32Array.of(0, 0), "read before it was asked for");
    steps!.fill();
    assert.deepEqual(steps!.column.toArray(), Int32Array.of(1, 2));
    assert.equal(texts!.column.at(1), "", "read with another column");
    texts!.fill();
    assert.equal(texts!.column.at(1), "second");
  }));

Deno.test("openArrowFile() refuses a table that is not ours", () => {
  const column = columnFromArray(Int32Array.of(1));
  const schema = { version: 4 as const, endianness: 0 as const, fields: [], metadata: new Map() };
  const other = tableToIPC(
    new Table({ ...schema, fields: [{ name: "a", type: column.type, nullable: true, metadata: new Map() }] } as never, [
      column,
    ]),
    { format: "file" },
  )!;
  return withFile(other, (path) => assert.throws(() => openArrowFile(path), /Cannot read table ""/));
});

Deno.test("openArrowFile() refuses what is no Arrow file", () =>
  withFile(new TextEncoder().encode("no table at all, but a text of some length"), (path) => {
    assert.throws(() => openArrowFile(path), /are not an Arrow IPC file/);
  }));
