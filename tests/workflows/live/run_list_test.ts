import assert from "node:assert/strict";
import { join } from "node:path";
import { runList } from "../../../workflows/live/run_list.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";

Deno.test("runList() has the newest run first, with its reward and first finding; what is half written is left out", () =>
  withRuns((runs) => {
    fabricateRun(runs, RUN_B, {
      findings: [{ cause: "benign_zero_loss", severity: "info" }, { cause: "entropy_collapse", severity: "error" }],
    });
    Deno.mkdirSync(join(runs, "20270101-000000-half-zzzz"));
    Deno.writeTextFileSync(join(runs, "20270101-000000-half-zzzz", "run.json"), '{"format": 1');
    const rows = runList(runs);
    assert.deepEqual(rows.map(({ id, status, finding }) => [id, status, finding]), [
      [RUN_B, "ok", "entropy_collapse"],
      [RUN_A, "ok", ""],
    ]);
    assert.deepEqual([rows[0]!.values, rows[0]!.trainStep], [[0.25, 0.75], 2]);
  }));
