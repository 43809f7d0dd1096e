import assert from "node:assert/strict";
import { join } from "node:path";
import { followed } from "../../../workflows/live/followed.ts";
import { FollowedLog } from "../../../workflows/live/followed_log.ts";
import { fabricateRun, RUN_A, withRuns } from "../cli/fabricated_run.ts";

const lines = (from: number, to: number) =>
  Array.from(
    { length: to - from + 1 },
    (_, i) => `{'loss': 0.01, 'grad_norm': 0.5, 'reward': 0.5, 'step': ${from + i}}\n`,
  )
    .join("");

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

Deno.test("followed() of a small folder reads its files together", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, "train.log"), lines(1, 3));
    const run = followed(folder), before = run.stamp();
    assert.equal((await run.report()).facts["records"], "3");
    assert.notEqual(run.news(), null);
    await Deno.writeTextFile(join(folder, "train.log"), lines(4, 4), { append: true });
    assert.notEqual(run.stamp(), before);
    assert.equal((await run.steps()).metrics.length, 4);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("followed() of a large folder follows its newest log alone", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, "train.log"), lines(1, 3));
    await Deno.writeTextFile(join(folder, "model.bin"), "");
    await Deno.truncate(join(folder, "model.bin"), 1 << 24);
    const run = followed(folder);
    assert(run instanceof FollowedLog);
    while ((await run.report()).facts["records"] !== "3") await new Promise((resolve) => setTimeout(resolve, 20));
    await run.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
