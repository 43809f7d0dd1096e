import assert from "node:assert/strict";
import { formatOf } from "../../../../data/datasets/formats/mod.ts";
import { openJsonLines, openJsonList } from "../../../../data/datasets/formats/json.ts";

async function rowsIn(name: string, text: string) {
  const folder = await Deno.makeTempDir(), path = `${folder}/${name}`, rows: unknown[] = [];
  await Deno.writeTextFile(path, text);
  try {
    const file = await (name.endsWith("l") ? openJsonLines : openJsonList)(path, undefined);
    for await (const batch of file.batches(["a"])) rows.push(...batch.rows);
    return rows;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("openJsonLines() and openJsonList() read the wanted columns", async () => {
  assert.deepEqual(await rowsIn("a.jsonl", '{"a":1,"b":2}\n\n{"b":3}'), [{ a: 1 }, {}]);
  assert.deepEqual(await rowsIn("a.json", '[{"a":1,"b":2}]'), [{ a: 1 }]);
  await assert.rejects(rowsIn("a.jsonl", '{"a":1}\n{"a":'), /line 2 is no JSON/);
});

Deno.test("openJsonLines() and openJsonList() keep all digits of a whole number beyond 2^53, as a text", async () => {
  const text = '{"a":9007199254740993,"b":1}';
  for (const rows of [await rowsIn("a.jsonl", text), await rowsIn("a.json", `[${text}]`)]) {
    assert.deepEqual(rows, [{ a: "9007199254740993" }]);
  }
  assert.deepEqual(
    await rowsIn("a.jsonl", '{"a":9007199254740991}\n{"a":1234567890123456.5}\n{"a":"x1234567890123456789"}'),
    [
      { a: 9007199254740991 },
      { a: 1234567890123456.5 },
      { a: "x1234567890123456789" },
    ],
  );
});

Deno.test("openJsonLines() and openJsonList() name the place of what is nested too deep", async () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const problem = (place: string) =>
    new RegExp(`^RangeError: ${place} has more than 100 lists and objects in one another`);
  await assert.rejects(rowsIn("a.jsonl", `{"a":1}\n${deep}`), problem("line 2"));
  await assert.rejects(rowsIn("a.jsonl", `{"a":${deep}}`), problem("line 1"));
  await assert.rejects(rowsIn("a.json", `[{"a":1},{"a":${deep}}]`), problem("row 2"));
  await assert.rejects(rowsIn("a.json", deep), problem("row 1"));
});

Deno.test("formatOf() goes by the longest ending that is known", () => {
  assert.equal(formatOf("A.JSONL.GZ")?.name, "JSON lines, gzip");
  assert.equal(formatOf("a.parquet")?.name, "Parquet");
  for (const name of ["a.gz", "a.txt", "jsonl"]) assert.equal(formatOf(name), null);
});
