import assert from "node:assert/strict";
import { Intake } from "../../../../data/adapters/intake/intake.ts";
import { ownRun } from "../../../../data/adapters/run/own_run.ts";
import { tableOf } from "../../../../data/tables/mod.ts";

Deno.test("ownRun() puts pieces of a table together and lists settings", () => {
  const intake = new Intake();
  intake.openSource("run.json", "run_folder", 1);
  const metrics = (steps: number[]) =>
    tableOf("metrics", { train_step: steps, phase: steps.map(() => "rollout"), loss: steps.map((step) => step / 2) });
  intake.takeTables({ metrics: metrics([1, 2]) });
  intake.takeTables({
    metrics: metrics([3]),
    settings: tableOf("settings", { name: ["temperature"], value: ["0.5"], written_type: ["number"] }),
    messages: tableOf("messages", { train_step: [2], kind: ["non_finite"], text: ["w"] }),
  });
  const run = ownRun("folder", intake);
  assert.deepEqual([run.system, run.rows.tables.metrics!.numRows(), intake.source.records], ["nonzero", 3, 5]);
  assert.deepEqual(run.rows.tables.metrics!.array("loss"), [0.5, 1, 1.5]);
  assert.deepEqual(run.settings.map(({ option, value }) => [option, value]), [["temperature", 0.5]]);
  assert.deepEqual(run.rows.tables.messages!.array("kind"), ["non_finite"]);
  assert.equal(run.rows.log, null);
});
