import assert from "node:assert/strict";
import { join } from "node:path";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { runReport } from "../../../workflows/explore/run_report.ts";
import { acquireLock } from "../../../workflows/store/lock.ts";
import { fabricateRun, RUN_A, withRuns } from "../cli/fabricated_run.ts";

Deno.test("runReport() of a run without an end has its last train steps, and says whether it still goes on", () =>
  withRuns((runs) => {
    const folder = fabricateRun(runs, RUN_A, { status: "running", finished: null });
    Deno.writeTextFileSync(join(folder, "events.jsonl"), '{"event":"train_step","train_step":3,"reward":1}\n{"ev');
    const shown = () => {
      const { status, tables, facts } = runReport(openRunFolder(folder));
      return [status, tables.metrics?.map((row) => row["reward"]), facts["train steps"]];
    };
    assert.deepEqual(shown(), ["killed", [0.25, 0.75, 1], "3"]);
    const lock = acquireLock(folder, new Date(0));
    assert.deepEqual(shown(), ["running", [0.25, 0.75, 1], "3"]);
    lock.release();
    fabricateRun(runs, RUN_A);
    assert.deepEqual(shown(), ["ok", [0.25, 0.75], "2"]);
  }));
