import assert from "node:assert/strict";
import { join } from "node:path";
import { removeOldRuns } from "../../../workflows/cron/keep_runs.ts";
import { runIds } from "../../../workflows/explore/find_run.ts";
import { acquireLock } from "../../../workflows/store/lock.ts";
import { FILE, scheduledRun, withFolder } from "./scheduled_history.ts";

const WHOSE = { name: "nightly", file: FILE };

Deno.test("removeOldRuns() keeps the last, the newest with a model, those that run, and what no schedule started", () =>
  withFolder((runs) => {
    const old = scheduledRun(runs, "2026-01-01", { hasModel: true });
    const model = scheduledRun(runs, "2026-01-02", { hasModel: true });
    const failed = scheduledRun(runs, "2026-01-03", { hasModel: true, status: "failed" });
    const manual = scheduledRun(runs, "2026-01-04", { trigger: "manual", scheduled_for: null });
    const live = scheduledRun(runs, "2026-01-05", { status: "running" });
    const last = [scheduledRun(runs, "2026-01-06"), scheduledRun(runs, "2026-01-07")];
    const lock = acquireLock(join(runs, live), new Date(0));
    try {
      assert.deepEqual(removeOldRuns(runs, WHOSE, 2), [old, failed]);
    } finally {
      lock.release();
    }
    assert.deepEqual(runIds(runs), [model, manual, live, ...last]);
    assert.deepEqual(removeOldRuns(runs, WHOSE, 5), []);
  }));
