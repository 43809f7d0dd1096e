import assert from "node:assert/strict";
import { column, readText } from "../read_text.ts";

Deno.test("MARKDOWN_TABLE reads a notebook's table; No Log is absent", async () => {
  const run = await readText(
    "| Step | Training Loss | reward | rewards / acc / mean | kl |\n|---|---|---|---|---|\n" +
      "| 1 | 0.000000 | 0.25 | 1,024.5 | nan |\n| 2 | 0.100000 | No Log | 0.5 | 0.001 |\n",
  );
  assert.deepEqual(run.metrics.train_step, [1, 2]);
  assert.deepEqual(column(run, "loss"), [0, 0.1]);
  assert.equal(run.metrics.printed.get("loss")!.decimals, 6);
  assert.deepEqual(column(run, "reward"), [0.25, null]);
  assert.deepEqual(column(run, "reward.acc"), [1024.5, 0.5]);
  assert.deepEqual(column(run, "kl"), [NaN, 0.001]);
});

Deno.test("MARKDOWN_TABLE reads a transposed table", async () => {
  const run = await readText(
    "| step | 10 | 20 | 30 |\n|---|---|---|---|\n| reward | 0.1 | 0.2 | 0.3 |\n| loss | 1 | - | 3 |\n\n",
  );
  assert.deepEqual(run.metrics.train_step, [10, 20, 30]);
  assert.deepEqual(column(run, "reward"), [0.1, 0.2, 0.3]);
  assert.deepEqual(column(run, "loss"), [1, null, 3]);
});

Deno.test("MARKDOWN_TABLE reads tabs and drops a cell that may be cut", async () => {
  const run = await readText("Step\tTraining Loss\treward\n1\t0.5\t0.25\n2\t0.4\t0.2");
  assert.deepEqual(column(run, "loss"), [0.5, 0.4]);
  assert.deepEqual(column(run, "reward"), [0.25, null]);
});

Deno.test("MARKDOWN_TABLE merges two views of the same steps and keeps a second run apart", async () => {
  const run = await readText(
    "Step | Training Loss\n-- | --\n1 | 0.5\n2 | 0.4\n\nStep | Training Loss | kl\n-- | -- | --\n1 | 0.5 | 0.1\n",
  );
  assert.deepEqual(column(run, "kl"), [0.1, null]);
});

Deno.test("MARKDOWN_TABLE ignores tables of other things", async () => {
  const run = await readText("| Step | What | Who |\n|---|---|---|\n| 1 | install | you |\n| 2 | run | me |\n");
  assert.equal(run.metrics.rows, 0);
});

Deno.test("MARKDOWN_TABLE reads windows of steps, and steps as headings", async () => {
  const windows = await readText(
    "| Steps | reward | kl |\n|---|---|---|\n| 1-50 | 0.5 | 0.1 |\n| 51-100 | 0.6 | 0.2 |\n",
  );
  assert.deepEqual(windows.metrics.train_step, [50, 100]);
  const heads = await readText(
    "| Metric | Step 1 | Step 100 |\n|---|---|---|\n| reward | 0.5 | 0.6 |\n| kl | nan | 1 |\n",
  );
  assert.deepEqual(heads.metrics.train_step, [1, 100]);
  assert.deepEqual(column(heads, "kl"), [NaN, 1]);
});

Deno.test("MARKDOWN_TABLE reads aligned columns, tables without a step, and name-value tables", async () => {
  const spaced = await readText(
    "Step    Training Loss    reward\n10      0.500000         0.25\n20      0.400000         0.5\n",
  );
  assert.deepEqual(spaced.metrics.train_step, [10, 20]);
  assert.deepEqual(column(spaced, "reward"), [0.25, 0.5]);
  const plain = await readText("| policy_loss | kl | reward |\n|---|---|---|\n| 0.1 | nan | 0.5 |\n");
  assert.deepEqual([column(plain, "kl"), plain.rows.log!.stepsPrinted], [[NaN], false]);
  const pairs = await readText(
    "| Metric | Value |\n|---|---|\n| reward | 0.5 |\n| completions/clipped_ratio | 1.0 |\n",
  );
  assert.deepEqual(column(pairs, "truncated_fraction"), [1]);
});
