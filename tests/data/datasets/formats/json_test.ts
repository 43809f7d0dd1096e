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
