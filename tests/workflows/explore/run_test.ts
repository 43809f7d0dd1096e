import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { openRun } from "../../../workflows/explore/open.ts";
import { Run } from "../../../workflows/explore/run.ts";
import { fabricateRun, RUN_A, withRuns } from "../cli/fabricated_run.ts";

const FINDING = { cause: "entropy_collapse", severity: "error", message: "m", hint: "h", train_steps: [2], codes: [] };

Deno.test("a run has its tables by name, read once, and the completions to filter", () =>
  withRuns(async (runs) => {
    const run = await openRun(RUN_A, runs);
    assert(run instanceof Run);
    assert.deepEqual([run.name, run.system, run.manifest?.status], ["small", "nonzero", "ok"]);
    assert.equal(run.tables.metrics.numRows(), 2);
    assert.equal(run.tables.metrics, run.table("metrics"));
    assert.equal(run.completions.filter((row: { reward: number }) => row.reward === 0).numRows(), 2);
    assert.equal(run.tables.gradients.numRows(), 0);
    assert.throws(() => run.table("metric" as "metrics"), /Cannot read table "metric".*"metrics"/);
  }));

Deno.test("a run draws the charts it has columns for, and names the columns of the others", () =>
  withRuns(async (runs) => {
    const run = await openRun(fabricateRun(runs, RUN_A, { findings: [FINDING] }), runs);
    assert.deepEqual(run.charts.slice(0, 4), ["findings", "reward", "accuracy", "entropy"]);
    assert.match(await run.chart("findings").svg(), /entropy_collapse/, "found at the end, by no step");
    const view = run.chart("entropy", { findings: true, theme: "dark", width: 300 });
    assert.deepEqual([view.title, view.theme, view.spec["width"]], ["Entropy", "dark", 350]);
    assert.match(await view.svg(), /entropy_collapse/);
    assert.doesNotMatch(await run.chart("entropy").svg(), /entropy_collapse/);
    assert.throws(
      () => run.chart("critic"),
      /Cannot draw "Critic": table "metrics" has no "value_explained_variance" \(share of .*\); there is findings, reward, /,
    );
    assert.throws(() => run.chart("rewrd" as "reward"), /there is no such chart.*"reward"/);
    assert.deepEqual(run.findings.map(({ cause, train_steps }) => [cause, train_steps]), [["entropy_collapse", [2]]]);
  }));

Deno.test("another system's log opens the same way: tables, charts, findings", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "trainer_state.json");
    const log_history = Array.from({ length: 30 }, (_, i) => ({
      step: i + 1,
      loss: 0,
      grad_norm: 0,
      reward: 0.5,
      reward_std: 0,
      frac_reward_zero_std: 1,
      "rewards/format/mean": 0.5,
      "completions/mean_length": 20,
      learning_rate: 1e-6,
    }));
    await Deno.writeTextFile(path, JSON.stringify({ log_history }));
    const run = await openRun(path);
    assert.deepEqual([run.name, run.manifest], [`${basename(folder)}/trainer_state.json`, null]);
    assert.equal(run.tables.metrics.numRows(), 30);
    assert(run.findings.length > 0);
    assert.equal(run.tables.findings.numRows(), run.findings.length);
    for (const name of ["reward", "loss", "completion_length", "zero_spread", "findings"] as const) {
      assert(run.charts.includes(name), `${name} of ${run.charts}`);
      assert.match(await run.chart(name).svg(), /<svg /);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a resumed log is drawn once at each train step, by its later values; the earlier ones are observations", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const part = (from: number, to: number, loss: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => `{"step": ${from + i}, "loss": ${loss}, "grad_norm": 1}\n`);
    await Deno.writeTextFile(join(folder, "log.jsonl"), [...part(1, 60, 1), ...part(51, 100, 2)].join(""));
    const run = await openRun(join(folder, "log.jsonl"));
    const { values } = run.chart("loss").spec["data"] as { values: { train_step: number; loss: number }[] };
    assert.deepEqual([run.tables.metrics.numRows(), values.length, values[50]], [100, 100, {
      train_step: 51,
      loss: 2,
    }]);
    assert.equal(run.tables.observations.numRows(), 2 * 10);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
