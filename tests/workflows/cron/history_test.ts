import assert from "node:assert/strict";
import { join } from "node:path";
import { scheduledRuns } from "../../../workflows/cron/history.ts";
import { FILE, scheduledRun, withFolder } from "./scheduled_history.ts";

Deno.test("scheduledRuns() are those of this file that a schedule started, oldest first; a damaged one is left out", () =>
  withFolder((runs) => {
    const second = scheduledRun(runs, "2026-01-03"), first = scheduledRun(runs, "2026-01-02");
    scheduledRun(runs, "2026-01-04", { trigger: "manual", scheduled_for: null });
    scheduledRun(runs, "2026-01-05", { workflow_folder: "/elsewhere" });
    scheduledRun(runs, "2026-01-06", { name: "other" });
    Deno.writeTextFileSync(join(runs, scheduledRun(runs, "2026-01-07"), "run.json"), "{");
    assert.deepEqual(scheduledRuns(runs, { name: "nightly", file: FILE }).map(({ id }) => id), [first, second]);
  }));
