import assert from "node:assert/strict";
import { join } from "node:path";
import { listFolder } from "../../../data/file_system.ts";
import { openRun } from "../../../workflows/engine/open_run.ts";
import { acquireLock, LockHeldError } from "../../../workflows/store/lock.ts";
import { makeFolder } from "../../../workflows/store/write_file.ts";
import { ENVIRONMENT, withFolder } from "./fake_runs.ts";
import { fakePlan } from "./fake_steps.ts";

const now = () => new Date(0);

Deno.test("openRun() takes the folder's lock, and begin() tells the start and leaves run.json", () =>
  withFolder((runsFolder) => {
    const told: string[] = [];
    const options = {
      runsFolder,
      projectFolder: runsFolder,
      environment: ENVIRONMENT,
      runId: "one",
      notes: ["a note"],
      onEvent: ({ event, text }: { event: string; text?: unknown }) => void told.push(String(text ?? event)),
    };
    const plan = fakePlan("name: o\nsteps: [{ uses: act }]", { log: [] });
    const { state, locks, manifest, begin } = openRun(plan, options, now);
    assert.throws(() => openRun(plan, options, now), LockHeldError);
    assert.deepEqual(told, []);
    assert.equal(begin(), null);
    assert.deepEqual(told, ["run_started", "a note"]);
    const { id, status, train_step, created } = manifest();
    assert.deepEqual([id, status, train_step, created], ["one", "running", 0, now().toISOString()]);
    assert(Deno.statSync(join(runsFolder, "one", "run.json")).isFile);
    assert(Deno.statSync(join(runsFolder, "one", "workflow.yaml")).isFile);
    state.events.close();
    for (const lock of locks) lock.release();
  }));

Deno.test("openRun() leaves the lock of its group free when another process holds the run's folder", () =>
  withFolder((runsFolder) => {
    const options = { runsFolder, projectFolder: runsFolder, environment: ENVIRONMENT, runId: "one" };
    const plan = fakePlan("name: o\nconcurrency: { group: gpu }\nsteps: [{ uses: act }]", { log: [] });
    makeFolder(join(runsFolder, "one"));
    const held = acquireLock(join(runsFolder, "one"), now());
    assert.throws(() => openRun(plan, options, now), LockHeldError);
    held.release();
    const [group] = listFolder(join(runsFolder, ".groups"));
    acquireLock(join(runsFolder, ".groups", group!), now()).release();
  }));
