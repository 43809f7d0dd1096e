import assert from "node:assert/strict";
import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { LIMITS } from "../../../data/datasets/limits.ts";
import { type ReadOptions, readRows } from "../../../data/datasets/read_rows.ts";

/** Writes a file, reads its rows, removes it. */
async function fileRows(name: string, content: string | Uint8Array, options: ReadOptions = {}) {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(
      `${folder}/${name}`,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
    return await readRows(`${folder}/${name}`, options);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const read = async (name: string, content: string | Uint8Array) => (await fileRows(name, content)).rows;

const bytesOf = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : part));

Deno.test("readRows() reads JSON lines, empty lines and a byte order mark skipped", async () => {
  assert.deepEqual(await read("a.jsonl", '\uFEFF{"q":"1+1","a":2}\r\n\n{"q":"é","a":null}'), [
    { q: "1+1", a: 2 },
    { q: "é", a: null },
  ]);
});

Deno.test("readRows() reads a list of JSON, and says which row is none and which file is no list", async () => {
  assert.deepEqual(await read("a.json", '[{"q":"1+1"},{"q":[1]}]'), [{ q: "1+1" }, { q: [1] }]);
  await assert.rejects(read("a.json", '[{"q":1},2]'), /Cannot load prompts from a.json: row 2 is 2, want an object/);
  await assert.rejects(read("a.json", '{"q":1}'), /it holds no list, want a list of objects/);
  await assert.rejects(fileRows("a.json", "{", { what: "preferences" }), /Cannot load preferences from a.json: /);
});

Deno.test("readRows() knows the line of each row of JSON lines", async () => {
  assert.deepEqual((await fileRows("a.jsonl", '\n{"q":1}\n\n{"q":2}')).lines, [2, 4]);
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

Deno.test("readRows() keeps the column that a dotted path leads into, of JSON lines and of Parquet's structs", async () => {
  const data = [{ ground_truth: "1", index: 3n }, { ground_truth: "2", index: 4n }];
  const schema: SchemaElement[] = [
    { name: "root", num_children: 2 },
    { name: "q", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
    { name: "reward_model", repetition_type: "OPTIONAL", num_children: 2 },
    { name: "ground_truth", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
    { name: "index", type: "INT64", repetition_type: "OPTIONAL" },
  ];
  const columnData = [{ name: "q", data: ["a", "b"] }, { name: "reward_model", data }];
  const rows = [{ reward_model: { ground_truth: "1", index: 3 } }, { reward_model: { ground_truth: "2", index: 4 } }];
  const columns = ["reward_model.ground_truth"];
  const parquet = new Uint8Array(parquetWriteBuffer({ schema, columnData }));
  assert.deepEqual((await fileRows("a.parquet", parquet, { columns })).rows, rows);
  const lines = rows.map((row) => JSON.stringify({ q: "a", ...row })).join("\n");
  assert.deepEqual((await fileRows("a.jsonl", lines, { columns })).rows, rows);
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
  await assert.rejects(read("a.jsonl", new Uint8Array([0xff, 0xff])), /Cannot load prompts from a.jsonl: /);
  await assert.rejects(read("a.xlsx", ""), /want a file ending in .jsonl, .ndjson, .json, .csv, .tsv, .parquet/);
  await assert.rejects(readRows("/nowhere/a.csv"), /Cannot load prompts from a.csv: there is no file/);
});

Deno.test("readRows() keeps the columns that are wanted and knows all of them", async () => {
  const columnData = [{ name: "q", data: ["a", "b"] }, { name: "a", data: ["1", "2"] }];
  for (
    const [name, content] of [
      ["a.jsonl", '{"q":"a","a":"1"}\n{"q":"b","a":"2"}'],
      ["a.csv", "q,a\na,1\nb,2\n"],
      ["a.parquet", new Uint8Array(parquetWriteBuffer({ columnData }))],
    ] as const
  ) {
    const { rows, columns } = await fileRows(name, content, { columns: ["q", "absent"] });
    assert.deepEqual([rows, columns], [[{ q: "a" }, { q: "b" }], ["q", "a"]], name);
  }
});

Deno.test("readRows() finds the separator that a CSV is written with, where the usual one is not in its header", async () => {
  const want = [{ q: "1,5", a: "2" }];
  assert.deepEqual(await read("a.csv", "q;a\n1,5;2\n"), want);
  assert.deepEqual(await read("a.csv", '"q"\t"a"\n1,5\t2\n'), want);
  assert.deepEqual(await read("a.tsv", 'q,a\n"1,5",2\n'), want);
  assert.deepEqual(await read("a.csv", '"one; column"\nx\n'), [{ "one; column": "x" }]);
  assert.deepEqual(await read("a.csv", "q,a;b\n1,2;3\n"), [{ q: "1", "a;b": "2;3" }]);
});

// 问题,答案 / 一加一,二 in GBK.
const GBK = bytesOf(
  [0xce, 0xca, 0xcc, 0xe2],
  ",",
  [0xb4, 0xf0, 0xb0, 0xb8],
  "\n",
  [0xd2, 0xbb],
  "+1,",
  [0xb6, 0xfe],
  "\n",
);

Deno.test("readRows() names the line, and what it may be, of a text that is not UTF-8", async () => {
  await assert.rejects(
    read("a.csv", GBK),
    /Cannot load prompts from a\.csv: line 1 is no utf-8 text; as gb18030 the line reads "问题,答案".*set encoding: gb18030/,
  );
  await assert.rejects(
    read("a.jsonl", bytesOf('{"q":"a"}\n{"q":"caf', [0xe9], '"}')),
    /line 2 .*as windows-1252 .*café/,
  );
  assert.deepEqual((await fileRows("a.csv", GBK, { encoding: "gb18030" })).rows, [{ "问题": "一+1", "答案": "二" }]);
  const latin = bytesOf('{"q":"caf', [0xe9], '"}');
  assert.deepEqual((await fileRows("a.jsonl", latin, { encoding: "windows-1252" })).rows, [{ q: "café" }]);
  await assert.rejects(
    fileRows("a.csv", bytesOf("q,a\n", [0xff]), { encoding: "gb18030" }),
    /line 2 is no gb18030 text/,
  );
});

Deno.test("readRows() hears a byte order mark of UTF-16", async () => {
  const text = "\uFEFFq,a\n1,2\n";
  const bytes = new Uint8Array(text.length * 2);
  [...text].forEach((letter, i) => new DataView(bytes.buffer).setUint16(2 * i, letter.charCodeAt(0), true));
  assert.deepEqual(await read("a.csv", bytes), [{ q: "1", a: "2" }]);
});

Deno.test("readRows() refuses a line, rows and a file beyond its limits before it reads them", async () => {
  const long = new Uint8Array(LIMITS.line + 100).fill(32);
  long.set(bytesOf('{"q":1}\n'));
  await assert.rejects(
    fileRows("a.jsonl", long),
    /a\.jsonl: line 2 has more than 16 MB, want at most 16 MB; one row is one line/,
  );
  const columnData = [{ name: "q", data: new Int32Array(LIMITS.rows + 1), type: "INT32" as const }];
  const many = new Uint8Array(parquetWriteBuffer({ columnData }));
  await assert.rejects(fileRows("a.parquet", many), /it has more than 2000000 rows/);
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/a.csv`, "");
    await Deno.truncate(`${folder}/a.csv`, LIMITS.bytes + 1); // sparse: takes no room
    await assert.rejects(readRows(`${folder}/a.csv`), /it has 501 MB, want at most 500 MB/);
    await assert.rejects(readRows(`${folder}/../${folder.split("/").at(-1)}/b.csv`), /there is no file/);
    await Deno.mkdir(`${folder}/c.csv`);
    await assert.rejects(readRows(`${folder}/c.csv`), /c.csv: the folder has no file of rows/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("readRows() looks for the end of a quoted cell before it makes one of all that follows", async () => {
  await assert.rejects(
    read("a.csv", 'q,a\n1,"say ""two"""\n"3,4\n' + "5,6\n".repeat(1000)),
    /a\.csv: the quoted cell that begins on line 3 does not end, want a closing "$/,
  );
  await assert.rejects(
    read("a.csv", `q,a\n1,"${"x\n".repeat(LIMITS.line / 2)}"\n`),
    /the quoted cell that begins on line 2 has 17 MB, want at most 16 MB/,
  );
  assert.deepEqual(await read("a.csv", 'q,a\n"1","a ""b"", c"\n'), [{ q: "1", a: 'a "b", c' }]);
});
