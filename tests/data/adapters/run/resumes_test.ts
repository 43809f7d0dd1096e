/** Runs that were resumed: what was done again counts once, in records and evaluations; everything else stays. */
import assert from "node:assert/strict";
import { column, readFiles, readText, readTexts } from "../read_text.ts";

const record = (step: number, loss: number) => `{'loss': ${loss}, 'grad_norm': 1.5, 'kl': 0.25, 'step': ${step}}`;
const evaluation = (step: number, loss: number) => `{'eval_loss': ${loss}, 'step': ${step}}`;
const text = (lines: readonly string[]) => lines.join("\n") + "\n";

Deno.test("records after the checkpoint count as the resumed run made them, and the report says so", async () => {
  const run = await readText(text([
    ...[1, 2, 3, 4, 5, 6].map((step) => record(step, 1)),
    "Traceback (most recent call last)",
    ...[4, 5, 6, 7].map((step) => record(step, 2)),
  ]));
  assert.deepEqual(run.metrics.train_step, [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(column(run, "loss"), [1, 1, 1, 2, 2, 2, 2]);
  assert.deepEqual(run.metrics.line, [1, 2, 3, 8, 9, 10, 11]);
  assert.deepEqual(run.skipped.map(({ line, reason, count }) => [line, reason, count]), [
    [4, "records that the run made again when it was resumed: it goes on at train step 4, the later ones count", 3],
  ]);
});

Deno.test("records and evaluations that do not count stay among the observations, with their lines", async () => {
  const log = [record(1, 1), record(2, NaN), evaluation(2, 0.1), record(2, 2), evaluation(2, 0.2), record(3, 2)];
  const none = await readText(text(log.slice(0, 3)));
  assert.equal(none.rows.tables.observations, undefined);
  const run = await readText(text([record(1, 1), record(2, 1), record(3, NaN), ...log.slice(2)]));
  const rows = run.rows.tables.observations!.objects() as Record<string, unknown>[];
  assert.deepEqual(rows.map(({ line, name, column, train_step, value }) => [line, name, column, train_step, value]), [
    [2, "loss", "loss", 2, 1],
    [2, "grad_norm", "grad_norm", 2, 1.5],
    [2, "kl", "kl", 2, 0.25],
    [3, "loss", "loss", 3, NaN],
    [3, "grad_norm", "grad_norm", 3, 1.5],
    [3, "kl", "kl", 3, 0.25],
    [4, "eval_loss", "loss", 2, 0.1],
  ]);
});

Deno.test("what the run did after a later record than the resumed one has reached is gone, too", async () => {
  const run = await readText(text([...[1, 2, 3, 4, 5, 6].map((step) => record(step, 1)), record(3, 2), record(4, 2)]));
  assert.deepEqual([run.metrics.train_step, column(run, "loss")], [[1, 2, 3, 4], [1, 1, 2, 2]]);
});

Deno.test("a run may be resumed several times, also from before an earlier resume", async () => {
  const steps = [1, 2, 3, 4, 5, 4, 5, 6, 7, 3, 4, 5];
  const run = await readText(text(steps.map((step, i) => record(step, i))));
  assert.deepEqual(run.metrics.train_step, [1, 2, 3, 4, 5]);
  assert.deepEqual(column(run, "loss"), [0, 1, 9, 10, 11]);
});

Deno.test("evaluations of what is done again count once", async () => {
  const run = await readText(text([
    ...[1, 2].map((step) => record(step, 1)),
    evaluation(2, 0.1),
    ...[3, 4].map((step) => record(step, 1)),
    evaluation(4, 0.2),
    ...[3, 4].map((step) => record(step, 2)),
    evaluation(4, 0.3),
    record(5, 2),
  ]));
  assert.deepEqual(run.evaluations.train_step, [2, 4]);
  assert.deepEqual(run.evaluations.columns.get("loss"), [0.1, 0.3]);
  const alone = await readText(text([2, 4, 6, 4, 6, 8].map((step, i) => evaluation(step, i))));
  assert.deepEqual(alone.evaluations.columns.get("loss"), [0, 3, 4, 5]);
});

Deno.test("without train steps the epochs show a resume; evaluations stand beside the records that are left", async () => {
  const lines = (epochs: readonly number[], loss: number) =>
    epochs.map((epoch) => `{'loss': ${loss}, 'grad_norm': 1.5, 'epoch': ${epoch}}`);
  const scored = (epoch: number, loss: number) => `{'eval_loss': ${loss}, 'epoch': ${epoch}}`;
  const log = text([
    ...lines([0.1, 0.2, 0.3, 0.4, 0.5], 1),
    scored(0.5, 1),
    ...lines([0.6], 1),
    ...lines([0.4, 0.5], 2),
    scored(0.5, 2),
    ...lines([0.6, 0.7], 2),
  ]);
  const run = await readText(log);
  assert.deepEqual([run.metrics.train_step, column(run, "loss")], [[1, 2, 3, 4, 5, 6, 7], [1, 1, 1, 2, 2, 2, 2]]);
  assert.deepEqual([run.evaluations.train_step, run.evaluations.columns.get("loss")], [[5], [2]]);
  const known = await readFiles({ "log.txt": log, "args.yaml": "logging_steps: 10\n" });
  assert.deepEqual([known.metrics.train_step, known.evaluations.train_step], [[10, 20, 30, 40, 50, 60, 70], [50]]);
});

Deno.test("what only looks like a resume stays: another run, ranks, late columns, epochs that count anew", async () => {
  const again = await readTexts(text([1, 2, 3, 1, 2].map((step) => record(step, 1))));
  assert.deepEqual(again.map(({ metrics }) => metrics.rows), [3, 2]);
  const ranks = await readText(text([1, 1, 2, 2, 3, 3].map((step, i) => record(step, i))));
  assert.equal(ranks.metrics.rows, 6);
  const late = await readText(text([
    ...[1, 2, 3].map((step) => record(step, 1)),
    ...[2, 3].map((step) => `{'entropy': 0.5, 'clip_ratio/region_mean': 0, 'step': ${step}}`),
  ]));
  assert.deepEqual(column(late, "loss")!.filter((value) => value !== null), [1, 1, 1]);
  const jitter = await readText(text([1, 3, 2, 5, 4, 6].map((step) => record(step, 1))));
  assert.equal(jitter.metrics.rows, 6);
  const epochs = await readText(text(
    [[1, 0], [10, 0], [20, 0], [10, 1], [20, 1]].map(([step, epoch]) =>
      `{'loss': 0.5, 'grad_norm': 1, 'step': ${step}, 'epoch': ${epoch}}`
    ),
  ));
  assert.equal(epochs.metrics.rows, 5);
});

Deno.test("a log without any order of steps is read in time that grows with its length", async () => {
  const half = 20_000, rising = Array.from({ length: half }, (_, i) => 2 * i + 2);
  const falling = rising.map((step) => step + 1).reverse().slice(0, -1);
  const from = performance.now(), run = await readText(text([...rising, ...falling].map((step) => record(step, 1))));
  assert.equal(run.metrics.rows, 2 * half - 1);
  assert(performance.now() - from < 10_000);
});

Deno.test("what a resume replaces is a run of its own where less is left, with its evaluations, and none where more is", async () => {
  const steps = Array.from({ length: 40 }, (_, i) => i + 1);
  const first = [...steps.map((step) => record(step, 1)), evaluation(40, 0.1)];
  const runs = await readTexts(text([...first, ...[3, 4, 5].map((step) => record(step, 2))]));
  assert.deepEqual(runs.map(({ metrics }) => metrics.train_step), [steps, [1, 2, 3, 4, 5]]);
  assert.deepEqual(runs.map(({ evaluations }) => evaluations.rows), [1, 0]);
  assert.deepEqual(runs.map(({ part }) => [part.index, part.of]), [[1, 2], [2, 2]]);
  assert.deepEqual([runs[0]!.part.reason, runs[0]!.part.run], [
    "what a resume at train step 3 replaced",
    "before the resume at train step 3",
  ]);
  assert.deepEqual(runs.map(({ skipped }) => skipped.length), [0, 1]);
  const late = await readTexts(text([...first, ...steps.slice(20, 23).map((step) => record(step, 2))]));
  assert.deepEqual(late.map(({ metrics }) => metrics.train_step.length), [23]);
});
