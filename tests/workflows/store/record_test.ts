/** A damaged manifest or workflow is not the end of a run. @module */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { writeCheckpoint } from "../../../workflows/store/checkpoint.ts";
import { readManifest, writeManifest } from "../../../workflows/store/manifest.ts";
import { mendEvents, mendManifest, mendWorkflow } from "../../../workflows/store/record.ts";
import { RunTables } from "../../../workflows/store/run_tables.ts";
import { RECORD, withFolder } from "../engine/fake_runs.ts";

function save(folder: string, workflow = RECORD.workflow): void {
  const record = { ...RECORD, workflow };
  const content = { state: {}, tables: new RunTables("all"), resources: new Map(), record, best: null };
  writeCheckpoint(folder, "2.0", { ...content, trainStep: 2, update: 0 });
}

Deno.test("mendManifest() leaves a good run.json, restores a bad one, and throws without a checkpoint", () =>
  withFolder((folder) => {
    Deno.writeTextFileSync(join(folder, "run.json"), '{"format": 1}');
    assert.throws(() => mendManifest(folder), /run.json at "id"/);
    save(folder);
    const done = "run.json is restored from checkpoint 2.0: it could not be used and is moved to set_aside/1/run.json";
    assert.deepEqual(mendManifest(folder), [done]);
    assert.equal(readManifest(folder).id, basename(folder));
    assert.deepEqual(readManifest(folder).identity, { seed: 0 });
    writeManifest(folder, { ...RECORD.manifest, about: "changed" });
    assert.deepEqual(mendManifest(folder), []);
    assert.equal(readManifest(folder).about, "changed");
  }));

Deno.test("mendWorkflow() restores another text, and nothing where it is the checkpoint's or there is none", () =>
  withFolder((folder) => {
    const path = join(folder, "workflow.yaml");
    assert.equal(mendWorkflow(folder), null);
    const saved = `# Of run r\n${RECORD.workflow}`;
    save(folder, saved);
    assert.equal(mendWorkflow(folder), "workflow.yaml is restored from checkpoint 2.0: it was missing");
    assert.equal(Deno.readTextFileSync(path), saved);
    assert.equal(mendWorkflow(folder), null);
    Deno.writeTextFileSync(path, `# Of run x\n${RECORD.workflow}`);
    assert.equal(mendWorkflow(folder), null, "a resume writes another head");
    Deno.writeTextFileSync(path, "x");
    assert.match(mendWorkflow(folder)!, /moved to set_aside\/1\/workflow.yaml$/);
    assert.equal(Deno.readTextFileSync(join(folder, "set_aside/1/workflow.yaml")), "x");
  }));

Deno.test("mendEvents() moves a log aside that cannot be read, and no other", () =>
  withFolder((folder) => {
    const path = join(folder, "events.jsonl");
    assert.deepEqual(mendEvents(folder), []);
    Deno.writeTextFileSync(path, "half a li");
    assert.deepEqual(mendEvents(folder), []);
    Deno.removeSync(path);
    Deno.mkdirSync(path);
    assert.deepEqual(mendEvents(folder), ["events.jsonl cannot be read and is moved to set_aside/1/events.jsonl"]);
  }));
