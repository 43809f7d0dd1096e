/** run.json is checked when written and when read. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { readManifest, writeManifest } from "../../../workflows/store/manifest.ts";
import { withFolder } from "../engine/fake_runs.ts";

const MANIFEST = {
  format: 1,
  id: "r",
  name: "n",
  about: "",
  status: "running",
  created: "2026-01-01T00:00:00.000Z",
  workflow: "w.yaml",
  params: {},
  seed: 1,
  device: "cpu",
  backend: "ffi",
  threads: 2,
  cpu_class: "x",
  versions: {},
} as const;

Deno.test("readManifest() gives what writeManifest() wrote, other keys included, and leaves no other file", () =>
  withFolder((folder) => {
    writeManifest(folder, { ...MANIFEST, identity: { a: 1 } });
    assert.deepEqual(readManifest(folder).identity, { a: 1 });
    assert.equal(readManifest(folder).train_step, 0);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["run.json"]);
  }));

Deno.test("readManifest() says what is wrong with a folder", () =>
  withFolder((folder) => {
    assert.throws(() => readManifest(folder), /Cannot open run .*: it has no run.json/);
    Deno.writeTextFileSync(join(folder, "run.json"), "{");
    assert.throws(() => readManifest(folder), /its run.json is no JSON/);
    Deno.writeTextFileSync(join(folder, "run.json"), JSON.stringify({ ...MANIFEST, threads: 0 }));
    assert.throws(() => readManifest(folder), /run.json at "threads"/);
  }));
