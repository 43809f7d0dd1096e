import assert from "node:assert/strict";
import { join } from "node:path";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { UsageError } from "../../../workflows/terminal/usage_error.ts";
import { findRun, folderSize, isLive, openTypedRun, runIds, shownStatus } from "../../../workflows/explore/find_run.ts";
import { acquireLock } from "../../../workflows/store/lock.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";

Deno.test("findRun() takes an id, a unique part of it, a folder and last; and says what there is", () =>
  withRuns((runs) => {
    const [a, b] = [RUN_A, RUN_B].map((id) => join(runs, id));
    assert.equal(findRun(RUN_A, runs), a);
    assert.equal(findRun("20260102-030405-small-b", runs), b);
    assert.equal(findRun("aaaa", runs), a);
    assert.equal(findRun(a!, "/nowhere"), a);
    assert.equal(findRun("last", runs), b);
    assert.throws(() => findRun("2026", runs), /2 runs match; runs: .*aaaa, .*bbbb/);
    assert.throws(() => findRun("nothing", runs), UsageError);
    assert.throws(() => findRun("last", join(runs, "none")), /there is no run yet/);
    assert.equal(openTypedRun("last", runs).manifest.id, RUN_B);
  }));

Deno.test("findRun() knows a run whose run.json is gone by its checkpoints, and passes over files and other folders", () =>
  withRuns((runs) => {
    const folder = join(runs, "20260203-000000-lost-cccc");
    Deno.mkdirSync(join(folder, "checkpoints/4.0"), { recursive: true });
    Deno.mkdirSync(join(runs, "notes"));
    for (const file of ["notes/checkpoints", "a.txt"]) Deno.writeTextFileSync(join(runs, file), "");
    assert.equal(findRun("cccc", runs), folder);
    assert.equal(findRun("last", runs), folder);
    assert.throws(
      () => openTypedRun("cccc", runs),
      /it has no run\.json.*; put it back from its newest checkpoint: .* run --resume 20260203-000000-lost-cccc --runs /,
    );
    assert.throws(() => findRun("notes", runs), UsageError);
    if (Deno.build.os === "windows") return;
    // One that the system does not read, whoever asks.
    Deno.symlinkSync(join(folder, "run.json"), join(folder, "run.json"));
    assert.equal(findRun("cccc", runs), folder);
    assert.deepEqual(runIds(runs), [RUN_A, RUN_B]);
  }));

Deno.test("runIds() passes over folders that are no runs", () =>
  withRuns((runs) => {
    for (const name of [".cache", "notes"]) Deno.mkdirSync(join(runs, name));
    assert.deepEqual(runIds(runs), [RUN_A, RUN_B]);
  }));

Deno.test("isLive() is true while a process holds the lock; a running run without one was killed", () =>
  withRuns((runs) => {
    const folder = fabricateRun(runs, RUN_A, { status: "running", finished: null });
    assert(!isLive(folder));
    assert.equal(shownStatus(openRunFolder(folder)), "killed");
    const lock = acquireLock(folder, new Date(0));
    assert(isLive(folder));
    assert.equal(shownStatus(openRunFolder(folder)), "running");
    lock.release();
    assert(!isLive(folder));
  }));

Deno.test("folderSize() adds the bytes of all files", () =>
  withRuns((runs) => {
    Deno.mkdirSync(join(runs, "x", "y"), { recursive: true });
    Deno.writeTextFileSync(join(runs, "x", "a"), "12345");
    Deno.writeTextFileSync(join(runs, "x", "y", "b"), "123");
    assert.equal(folderSize(join(runs, "x")), 8);
  }));
