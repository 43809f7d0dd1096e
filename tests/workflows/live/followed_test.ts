import assert from "node:assert/strict";
import { join } from "node:path";
import { followed } from "../../../workflows/live/followed.ts";
import { fabricateRun, RUN_A, withRuns } from "../cli/fabricated_run.ts";

Deno.test("followed() of a run has its state and the train steps that only its events tell of; its stamp moves with them", () =>
  withRuns(async (runs) => {
    const folder = fabricateRun(runs, RUN_A, { status: "running", finished: null });
    const run = followed(folder), stamp = run.stamp();
    const event = JSON.stringify({ event: "train_step", train_step: 3, phase: "rollout", reward: 1 });
    await Deno.writeTextFile(join(folder, "events.jsonl"), event + "\n");
    assert.notEqual(run.stamp(), stamp);
    const report = await run.report();
    assert.equal(report.status, "killed", "no process holds its lock");
    assert.deepEqual(report.tables.metrics!.map((row) => row["reward"]), [0.25, 0.75, 1]);
  }));

Deno.test("followed() of another system's log is a report of what it says so far", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "trl.log"), run = followed(path);
    const line = (step: number) => `{'loss': 0.1, 'grad_norm': 0.5, 'reward': ${step / 10}, 'step': ${step}}\n`;
    await Deno.writeTextFile(path, [1, 2, 3].map(line).join(""));
    const before = run.stamp();
    await Deno.writeTextFile(path, line(4), { append: true });
    assert.notEqual(run.stamp(), before);
    const report = await run.report();
    assert.deepEqual([report.name, report.tables.metrics!.length, report.workflow], ["trl.log", 4, ""]);
    await Deno.writeTextFile(path, "");
    assert.equal((await run.report()).tables.metrics?.length ?? 0, 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
