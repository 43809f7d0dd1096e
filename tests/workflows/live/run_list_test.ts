import assert from "node:assert/strict";
import { join } from "node:path";
import { RunList } from "../../../workflows/live/run_list.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";

Deno.test("RunList has the newest run first, with its reward and first finding; what is half written is left out", () =>
  withRuns((runs) => {
    fabricateRun(runs, RUN_B, {
      findings: [{ cause: "benign_zero_loss", severity: "info" }, { cause: "entropy_collapse", severity: "error" }],
    });
    Deno.mkdirSync(join(runs, "20270101-000000-half-zzzz"));
    Deno.writeTextFileSync(join(runs, "20270101-000000-half-zzzz", "run.json"), '{"format": 1');
    const list = new RunList(runs), rows = list.rows();
    assert.deepEqual(rows.map(({ id, status, finding }) => [id, status, finding]), [
      [RUN_B, "ok", "entropy_collapse"],
      [RUN_A, "ok", ""],
    ]);
    assert.deepEqual([rows[0]!.values, rows[0]!.trainStep], [[0.25, 0.75], 2]);
  }));

Deno.test("RunList tells of what is written and of what is removed, and reads nothing else again", () =>
  withRuns((runs) => {
    const list = new RunList(runs), [, before] = list.rows(), stamp = list.stamp();
    assert.equal(list.stamp(), stamp);
    fabricateRun(runs, RUN_B, { status: "failed" });
    const after = list.rows();
    assert.notEqual(list.stamp(), stamp);
    assert.equal(after[0]!.status, "failed");
    assert.equal(after[1], before, "the row that was read before");
    Deno.removeSync(join(runs, RUN_B), { recursive: true });
    assert.deepEqual(list.rows().map(({ id }) => id), [RUN_A]);
  }));
