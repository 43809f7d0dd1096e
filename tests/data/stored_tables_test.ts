import assert from "node:assert/strict";
import { join } from "node:path";
import { storedTables } from "../../data/stored_tables.ts";
import { encodeTable, tableOf } from "../../data/tables/mod.ts";
import type { TableName } from "../../data/columns.ts";

async function withFolder(segments: Record<string, Uint8Array>, test: (folder: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [path, bytes] of Object.entries(segments)) {
      Deno.mkdirSync(join(folder, "tables", path, ".."), { recursive: true });
      Deno.writeFileSync(join(folder, "tables", path), bytes);
    }
    test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const rows = (table: TableName, steps: number[]) =>
  encodeTable(table, tableOf(table, { train_step: steps, ...(table === "metrics" ? { loss: steps } : {}) }));

Deno.test("storedTables() joins segments in the order of train steps and has the last completions", () =>
  withFolder({
    "metrics/10-11.arrow": rows("metrics", [10, 11]),
    "metrics/1-9.arrow": rows("metrics", [1, 9]),
    "updates/1-9.arrow": rows("updates", [1, 9]),
    "metrics/notes.txt": new Uint8Array(3),
    "completions/1-9.arrow": rows("completions", [1]),
    "completions/10-11.arrow": rows("completions", [10, 11]),
    ".DS_Store/x": new Uint8Array(1),
  }, (folder) => {
    const { rows: { tables, log }, damaged } = storedTables(folder);
    assert.deepEqual([log, damaged], [null, []]);
    assert.deepEqual([...tables.metrics!.array("train_step")], [1, 9, 10, 11]);
    assert.deepEqual([...tables.updates!.array("train_step")], [1, 9]);
    assert.deepEqual([...tables.completions!.array("train_step")], [10, 11]);
    assert.equal(tables.settings, undefined);
  }));

Deno.test("storedTables() says which segments cannot be read, and reads the others", () =>
  withFolder({
    "metrics/1-1.arrow": rows("metrics", [1]),
    "metrics/2-2.arrow": rows("metrics", [2]).slice(0, 90),
    "completions/1-1.arrow": rows("completions", [1]),
    "completions/2-2.arrow": new Uint8Array(4),
  }, (folder) => {
    const { rows: { tables }, damaged } = storedTables(folder);
    assert.deepEqual([...tables.metrics!.array("train_step")], [1]);
    assert.deepEqual([...tables.completions!.array("train_step")], [1]);
    assert.deepEqual(damaged.map(({ path }) => path.slice(folder.length)), [
      "/tables/metrics/2-2.arrow",
      "/tables/completions/2-2.arrow",
    ]);
    for (const { reason } of damaged) assert(reason.length > 10);
  }));

Deno.test("storedTables() of a folder without tables has none", () =>
  withFolder({}, (folder) => assert.deepEqual(storedTables(folder).rows.tables, {})));
