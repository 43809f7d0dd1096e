import assert from "node:assert/strict";
import { Intake } from "../../../../data/adapters/intake/intake.ts";
import { ownRun, takeTables } from "../../../../data/adapters/run/own_run.ts";
import { tableOf } from "../../../../data/tables/mod.ts";

Deno.test("ownRun() puts pieces of a table together and lists metrics, settings and messages", () => {
  const intake = new Intake();
  intake.openSource("run.json", "run_folder", 1);
  const metrics = (steps: number[]) =>
    tableOf("metrics", { train_step: steps, phase: steps.map(() => "rollout"), loss: steps.map((step) => step / 2) });
  takeTables(intake, { metrics: metrics([1, 2]) });
  takeTables(intake, {
    metrics: metrics([3]),
    settings: tableOf("settings", { name: ["temperature"], value: ["0.5"], written_type: ["number"] }),
    messages: tableOf("messages", { train_step: [2], kind: ["non_finite"], text: ["w"] }),
  });
  const run = ownRun("folder", intake);
  assert.deepEqual([run.system.name, run.metrics.rows, intake.source.records], ["nonzero", 3, 5]);
  assert.deepEqual(run.metrics.columns.get("loss"), [0.5, 1, 1.5]);
  assert.deepEqual(run.settings.map(({ option, value }) => [option, value]), [["temperature", 0.5]]);
  assert.deepEqual(run.messages.map(({ kind, train_step }) => [kind, train_step]), [["non_finite", 2]]);
  assert.equal(run.rows.log, null);
  assert.equal(run.rows.tables.metrics!.numRows(), 3);
});
