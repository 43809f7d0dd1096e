/** Checkpoints are complete or invisible, and verified. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { tableOfRows } from "../../../data/tables/mod.ts";
import { listFolder } from "../../../data/file_system.ts";
import {
  type CheckpointContent,
  NonFiniteStateError,
  readCheckpoint,
  writeCheckpoint,
} from "../../../workflows/store/checkpoint.ts";
import type { ResourceState } from "../../../steps/resources/resource.ts";
import { checkpointNames, cleanCheckpoints } from "../../../workflows/store/retention.ts";
import { RunTables } from "../../../workflows/store/run_tables.ts";
import { RECORD, withFolder } from "../engine/fake_runs.ts";

function content(data: number[]): CheckpointContent {
  const tables = new RunTables("all");
  tables.goTo(3);
  tables.write({ metrics: tableOfRows("metrics", [{ loss: NaN }]) }, "apply_update");
  const arrays: ResourceState["arrays"] = new Map<string, { shape: number[]; data: Float32Array | Uint8Array }>([
    ["../a", { shape: [data.length], data: Float32Array.from(data) }],
    ["codes", { shape: [3], data: Uint8Array.of(3, 0, 255) }],
    ["b", { shape: [1], data: Float32Array.from([-0]) }],
  ]);
  const resources = new Map([["policy", { json: { n: NaN }, arrays }]]);
  return {
    trainStep: 3,
    update: 1,
    record: RECORD,
    best: 0.5,
    state: { x: [-0] },
    tables,
    resources,
  };
}

Deno.test("readCheckpoint() gives back bits, rows and state", () =>
  withFolder((folder) => {
    writeCheckpoint(folder, "3.1", content([1, 0.1, 1e-45]));
    const loaded = readCheckpoint(folder, "3.1");
    const { json, arrays } = loaded.resources.get("policy")!;
    assert.deepEqual(json, { n: NaN });
    assert.deepEqual(arrays.get("../a")!.data, Float32Array.from([1, 0.1, 1e-45]));
    assert.deepEqual(arrays.get("codes")!.data, Uint8Array.of(3, 0, 255));
    assert.ok(Object.is(arrays.get("b")!.data[0], -0));
    assert.deepEqual(loaded.state, { x: [-0] });
    const tables = new RunTables("all");
    tables.goTo(3);
    loaded.restoreTables(tables);
    assert.deepEqual(tables.table("metrics").get("loss", 0), NaN);
    assert.equal(tables.table("metrics").get("train_step", 0), 3);
  }));

Deno.test("readCheckpoint() refuses one changed bit in any file", () =>
  withFolder((folder) => {
    writeCheckpoint(folder, "3.1", content([1, 2]));
    const root = join(folder, "checkpoints", "3.1");
    for (const file of listFolder(root)) {
      const bytes = Deno.readFileSync(join(root, file));
      const middle = bytes.length >> 1;
      bytes[middle]! ^= 0x40;
      Deno.writeFileSync(join(root, file), bytes);
      assert.throws(() => readCheckpoint(folder, "3.1"), /damaged|missing|differs|bytes, want/, file);
      bytes[middle]! ^= 0x40;
      Deno.writeFileSync(join(root, file), bytes);
    }
    readCheckpoint(folder, "3.1");
  }));

Deno.test("writeCheckpoint() refuses values that are not finite and writes nothing", () =>
  withFolder((folder) => {
    for (const bad of [NaN, Infinity, -Infinity]) {
      assert.throws(() => writeCheckpoint(folder, "3.1", content([1, bad])), NonFiniteStateError);
    }
    assert.deepEqual(listFolder(join(folder, "checkpoints")), []);
  }));

Deno.test("writeCheckpoint() replaces one of its name; cleanCheckpoints() undoes half a replacement", () =>
  withFolder((folder) => {
    const root = join(folder, "checkpoints");
    writeCheckpoint(folder, "3.1", content([1]));
    writeCheckpoint(folder, "3.1", content([2]));
    assert.deepEqual(listFolder(root), ["3.1"]);
    Deno.renameSync(join(root, "3.1"), join(root, ".old-3.1"));
    Deno.mkdirSync(join(root, ".tmp-3.1"));
    assert.deepEqual(checkpointNames(folder), []);
    assert.deepEqual(cleanCheckpoints(folder), []);
    const value = () => readCheckpoint(folder, "3.1").resources.get("policy")!.arrays.get("../a")!.data[0];
    assert.deepEqual([listFolder(root), value()], [["3.1"], 2]);
    // What was replaced goes only when its successor is whole.
    Deno.renameSync(join(root, "3.1"), join(root, ".old-3.1"));
    writeCheckpoint(folder, "3.1", content([4]));
    Deno.renameSync(join(root, "3.1"), join(folder, "whole"));
    Deno.mkdirSync(join(root, "3.1"));
    assert.match(
      cleanCheckpoints(folder).join(),
      /^Checkpoint 3\.1: .*missing; it is moved to set_aside\/1\/checkpoints/,
    );
    assert.deepEqual([listFolder(root), value()], [["3.1"], 2]);
    Deno.renameSync(join(root, "3.1"), join(root, ".old-3.1"));
    Deno.renameSync(join(folder, "whole"), join(root, "3.1"));
    assert.deepEqual(cleanCheckpoints(folder), []);
    assert.deepEqual([listFolder(root), value()], [["3.1"], 4]);
  }));

Deno.test("readCheckpoint() says which version wrote a checkpoint of format 1, and whose checkpoint.json it is", () =>
  withFolder((folder) => {
    writeCheckpoint(folder, "3.1", content([1]));
    const path = join(folder, "checkpoints/3.1/checkpoint.json"), text = Deno.readTextFileSync(path);
    Deno.writeTextFileSync(path, text.replace('"format": 2', '"format": 1'));
    assert.throws(() => readCheckpoint(folder, "3.1"), /has format 1, want 2: resume with the version that wrote it/);
    Deno.writeTextFileSync(path, text);
    Deno.renameSync(join(folder, "checkpoints/3.1"), join(folder, "checkpoints/3.2"));
    assert.throws(() => readCheckpoint(folder, "3.2"), /its checkpoint.json is that of checkpoint 3.1/);
  }));
