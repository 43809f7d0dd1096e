/** The last ones and the best stay. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { writeCheckpoint } from "../../../workflows/store/checkpoint.ts";
import { bestCheckpoint, checkpointNames, newestCheckpoint, retain } from "../../../workflows/store/retention.ts";
import { RunTables } from "../../../workflows/store/run_tables.ts";
import { RECORD, withFolder } from "../engine/fake_runs.ts";

function save(folder: string, trainStep: number, best: number | null): void {
  const content = { state: {}, tables: new RunTables("all"), resources: new Map(), record: RECORD };
  writeCheckpoint(folder, `${trainStep}.0`, { ...content, trainStep, update: 0, best });
}

Deno.test("retain() keeps the last, in order of numbers, and the best", () =>
  withFolder((folder) => {
    [[2, 0.1], [9, 0.8], [10, 0.3], [11, null], [100, 0.2]].forEach(([step, best]) => save(folder, step!, best!));
    assert.deepEqual(checkpointNames(folder), ["2.0", "9.0", "10.0", "11.0", "100.0"]);
    assert.equal(bestCheckpoint(folder), "9.0");
    retain(folder, 2, "100.0");
    assert.deepEqual(checkpointNames(folder), ["9.0", "11.0", "100.0"]);
  }));

Deno.test("retain() keeps the one that is pinned, and the current one", () =>
  withFolder((folder) => {
    [1, 2, 3, 4].forEach((step) => save(folder, step, null));
    retain(folder, 1, "2.0", "1.0");
    assert.deepEqual(checkpointNames(folder), ["1.0", "2.0", "4.0"]);
  }));

Deno.test("retain() keeps one that cannot be read: it may be the best", () =>
  withFolder((folder) => {
    [[1, 0.1], [2, 0.9], [3, 0.2], [4, 0.3]].forEach(([step, best]) => save(folder, step!, best!));
    Deno.writeTextFileSync(join(folder, "checkpoints/2.0/checkpoint.json"), "{");
    retain(folder, 1, "4.0");
    assert.deepEqual(checkpointNames(folder), ["2.0", "4.0"]);
  }));

Deno.test("newestCheckpoint() walks back and lists what it passed over", () =>
  withFolder((folder) => {
    [1, 2, 3].forEach((step) => save(folder, step, null));
    Deno.writeTextFileSync(join(folder, "checkpoints/3.0/state.json"), "[]");
    Deno.removeSync(join(folder, "checkpoints/2.0/checkpoint.json"));
    const { name, skipped } = newestCheckpoint(folder);
    assert.equal(name, "1.0");
    assert.deepEqual(
      skipped,
      [
        { name: "3.0", reason: "state.json is damaged: its sha256 differs" },
        { name: "2.0", reason: "checkpoint.json is missing" },
      ],
    );
  }));
