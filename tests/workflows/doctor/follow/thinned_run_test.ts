import assert from "node:assert/strict";
import { LiveRun } from "../../../../data/adapters/live_run.ts";
import { thinnedRun } from "../../../../workflows/doctor/follow/thinned_run.ts";

async function runOf(records: number, bad: number, many = 1) {
  const live = new LiveRun({ path: "-", name: "stdin" });
  const lines = Array.from(
    { length: records },
    (_, i) =>
      `{'loss': ${i >= bad && i < bad + many ? "nan" : 0.5}, 'grad_norm': 0.25, 'reward': 0.5, 'step': ${i + 1}}\n`,
  );
  await live.feed(new TextEncoder().encode(lines.join("")));
  return live.runs()[0]!;
}

Deno.test("thinnedRun() keeps the first and last records, one of each group between, and of these what is not finite", async () => {
  const run = await runOf(12_000, 6003), thinned = thinnedRun(run), { metrics } = thinned.rows.tables;
  const steps = Array.from(metrics!.array("train_step") as Iterable<number>);
  assert.deepEqual(
    steps.slice(0, 1003),
    Array.from({ length: 1003 }, (_, i) => i < 1000 ? i + 1 : 1001 + 4 * (i - 1000)),
  );
  assert.deepEqual(steps.slice(-3000), Array.from({ length: 3000 }, (_, i) => 9001 + i));
  assert.equal(steps.length, 6000);
  assert(steps.includes(6004), "the record with a NaN is no group's first");
  assert.equal((metrics!.array("loss") as number[]).filter(Number.isNaN).length, 1);
  assert.equal(thinned.thinned, 6000);
  assert.equal(run.rows.tables.metrics!.numRows(), 12_000, "the run itself stays");
});

Deno.test("thinnedRun() keeps all records of a group that are not finite: a look may come long after them", async () => {
  const { metrics } = thinnedRun(await runOf(12_000, 6003, 3)).rows.tables;
  assert.equal((metrics!.array("loss") as number[]).filter(Number.isNaN).length, 3);
});

Deno.test("thinnedRun() leaves a run of 6000 records as it is", async () => {
  const run = await runOf(6000, 1);
  assert.equal(thinnedRun(run), run);
});

Deno.test("thinnedRun() counts what was left out before it too", async () => {
  const run = await runOf(12_000, 1);
  assert.equal(thinnedRun({ ...run, thinned: 70 }).thinned, 6070);
});
