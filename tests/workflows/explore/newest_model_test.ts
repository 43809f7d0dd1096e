import assert from "node:assert/strict";
import { join } from "node:path";
import { newestModel } from "../../../workflows/explore/newest_model.ts";
import { scheduledRun, withFolder } from "../cron/scheduled_history.ts";

Deno.test("newestModel() is the last run of a name that ended well with a model, whoever started it", () =>
  withFolder((runs) => {
    assert.equal(newestModel(runs, "nightly"), null);
    scheduledRun(runs, "2026-01-01", { hasModel: true });
    const wanted = scheduledRun(runs, "2026-01-02", { hasModel: true, trigger: "manual", scheduled_for: null });
    scheduledRun(runs, "2026-01-03", { hasModel: true, status: "failed" });
    scheduledRun(runs, "2026-01-04");
    scheduledRun(runs, "2026-01-05", { hasModel: true, name: "other" });
    Deno.writeTextFileSync(join(runs, scheduledRun(runs, "2026-01-06", { hasModel: true }), "run.json"), "{");
    assert.equal(newestModel(runs, "nightly"), wanted);
    assert.equal(newestModel(join(runs, "none"), "nightly"), null);
  }));
