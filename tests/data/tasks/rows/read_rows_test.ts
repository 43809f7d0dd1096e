import assert from "node:assert/strict";
import { parquetWriteBuffer } from "hyparquet-writer";
import { readRows } from "../../../../data/tasks/rows/read_rows.ts";

/** Writes a file, reads its rows, removes it. */
async function read(name: string, content: string | Uint8Array) {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(
      `${folder}/${name}`,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
    return await readRows(`${folder}/${name}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("readRows() reads JSON lines, empty lines and a byte order mark skipped", async () => {
  assert.deepEqual(await read("a.jsonl", '\uFEFF{"q":"1+1","a":2}\r\n\n{"q":"é","a":null}'), [
    { q: "1+1", a: 2 },
    { q: "é", a: null },
  ]);
});

Deno.test("readRows() reads CSV with quotes, commas and line ends inside cells", async () => {
  assert.deepEqual(await read("a.CSV", 'q,a\r\n"1, ""two""\nor 3?",x\r\nplain, y\r\n'), [
    { q: '1, "two"\nor 3?', a: "x" },
    { q: "plain", a: " y" },
  ]);
  assert.deepEqual(await read("a.tsv", "q\ta\n1,5\t2\n"), [{ q: "1,5", a: "2" }]);
  assert.deepEqual(await read("a.csv", ""), []);
});

Deno.test("readRows() reads Parquet, 64-bit integers as numbers", async () => {
  const columnData = [{ name: "q", data: ["a", "b"] }, { name: "a", data: [1n, 2n], type: "INT64" as const }];
  const rows = await read("a.parquet", new Uint8Array(parquetWriteBuffer({ columnData })));
  assert.deepEqual(rows, [{ q: "a", a: 1 }, { q: "b", a: 2 }]);
});

Deno.test("readRows() says where a file is broken", async () => {
  await assert.rejects(
    read("a.jsonl", '{"q":1}\n{"q":'),
    /^SyntaxError: Cannot load prompts from a.jsonl: line 2 is no JSON/,
  );
  await assert.rejects(read("a.jsonl", "[1]"), /line 1 is \[1\], want an object/);
  await assert.rejects(read("a.csv", "q,a\n1\n"), /Cannot load prompts from a.csv: .*line 2/);
  await assert.rejects(read("a.csv", "q,q\n1,2\n"), /column "q" twice/);
  await assert.rejects(read("a.parquet", "no"), /Cannot load prompts from a.parquet: /);
  await assert.rejects(read("a.jsonl", new Uint8Array([0xff, 0xfe])), /Cannot load prompts from a.jsonl: /);
  await assert.rejects(read("a.xlsx", ""), /want a file ending in .jsonl, .ndjson, .csv, .tsv, .parquet/);
  await assert.rejects(readRows("/nowhere/a.csv"), /Cannot load prompts from a.csv: there is no file/);
});
