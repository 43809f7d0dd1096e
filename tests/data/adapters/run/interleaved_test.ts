/** Logs that two runs or ranks write into: taken apart, and what only looks like it is left as it is. */
import assert from "node:assert/strict";
import { readTexts } from "../read_text.ts";

const STEPS = Array.from({ length: 12 }, (_, i) => i + 1);
const record = (step: number, loss: number, more = "") =>
  `{'loss': ${loss}, 'grad_norm': ${2 * loss}${more}, 'step': ${step}}`;
const alive = (step: number) => 1 + 0.01 * step;
const text = (lines: readonly string[]) => lines.join("\n") + "\n";
const read = async (lines: readonly string[]) =>
  (await readTexts(text(lines))).map(({ metrics, part }) => ({
    steps: metrics.train_step,
    loss: metrics.columns.get("loss"),
    name: part.run,
  }));

Deno.test("two series in one log are told apart by their values, in whatever order each step has them", async () => {
  for (const turns of [1, 3, 2]) {
    const lines = STEPS.flatMap((step) => {
      const both = [record(step, alive(step)), record(step, 0)];
      return step % turns === 0 ? both : both.toReversed();
    });
    const runs = await read(lines);
    assert.deepEqual(runs.map(({ steps }) => steps), [STEPS, STEPS]);
    const losses = runs.map(({ loss }) => loss).sort((a, b) => b![0]! - a![0]!);
    assert.deepEqual(losses, [STEPS.map(alive), STEPS.map(() => 0)]);
    assert.match(runs[0]!.name!, /^series 1 of 2 that stand interleaved/);
  }
});

Deno.test("evaluations of interleaved series are those of each, and of both where they are there once", async () => {
  const evaluation = (step: number, loss: number) => `{'eval_loss': ${loss}, 'step': ${step}}`;
  const lines = (twice: boolean) =>
    STEPS.flatMap((step) => [
      record(step, alive(step)),
      evaluation(step, alive(step)),
      record(step, 0),
      ...(twice ? [evaluation(step, 0)] : []),
    ]);
  const counts = async (twice: boolean) =>
    (await readTexts(text(lines(twice)))).map(({ evaluations }) => [
      evaluations.rows,
      evaluations.columns.get("loss")!.at(-1),
    ]);
  assert.deepEqual(await counts(true), [[12, alive(12)], [12, 0]]);
  assert.deepEqual(await counts(false), [[12, alive(12)], [12, alive(12)]]);
});

Deno.test("a line that is printed twice, a resume, and parts of one step are one run", async () => {
  const twice = STEPS.flatMap((step) => [record(step, alive(step)), record(step, alive(step))]);
  assert.equal((await read(twice)).length, 1);
  const resume = [...STEPS, ...STEPS.slice(2), 13, 14].map((step, i) => record(step, i));
  assert.deepEqual((await read(resume)).map(({ steps }) => steps.length), [14]);
  const again = [...STEPS, ...STEPS.slice(1)].map((step, i) => record(step, i));
  assert.deepEqual((await read(again)).map(({ steps }) => steps.length), [12]);
  const parts = STEPS.flatMap((step) => [record(step, alive(step)), `{'kl': 0.${step}, 'step': ${step}}`]);
  assert.equal((await read(parts)).length, 1);
  const few = STEPS.slice(0, 7).flatMap((step) => [record(step, alive(step)), record(step, 0)]);
  assert.equal((await read(few)).length, 1);
});

Deno.test("a rank that stands still beside one that moves is a run of its own, any other is none", async () => {
  const ranks = (other: (step: number) => string) =>
    read(STEPS.flatMap((step) => [`[rank0]: ${record(step, alive(step))}`, `[rank1]: ${other(step)}`]));
  const dead = await ranks((step) => record(step, 0));
  assert.deepEqual(dead.map(({ name, steps }) => [name, steps]), [[null, STEPS], ["rank 1", STEPS]]);
  assert.equal((await ranks((step) => record(step, NaN).replaceAll("NaN", "nan"))).length, 2);
  assert.equal((await ranks((step) => record(step, alive(step) + 0.1))).length, 1);
  assert.equal((await ranks((step) => `{'kl': 0.${step}, 'step': ${step}}`)).length, 1);
});

Deno.test("epochs with two digits are those of several records: a learning rate that goes on is that of one run", async () => {
  const epochs = Array.from({ length: 24 }, (_, i) => Math.floor((i + 1) / 2) / 100);
  const line = (epoch: number, i: number, rate: number) =>
    `{'loss': ${alive(i)}, 'grad_norm': ${(i * 7) % 5 + 1}, 'learning_rate': ${rate}, 'epoch': ${epoch}}`;
  const count = async (rate: (i: number) => number) =>
    (await read(epochs.map((epoch, i) => line(epoch, i, rate(i))))).length;
  assert.equal(await count((i) => 1e-6 - 1e-9 * i), 1);
  assert.equal(await count((i) => i < 6 ? 1e-7 * (i + 1) : 7e-7 - 1e-9 * i), 1, "after a warm-up");
  assert.equal(await count((i) => 1e-6 - 1e-9 * Math.floor((i + 1) / 2)), 2, "two runs of one schedule");
  assert.equal(await count((i) => i % 2 === 0 ? 1e-6 : 5e-7), 2, "two runs of two rates");
});
