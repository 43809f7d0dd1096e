import { readPost, recordsOf } from "../post/read_post.ts";
import assert from "node:assert/strict";
import { plainNumber } from "../../../../data/adapters/lines/key_value.ts";
import { column, readText } from "../read_text.ts";

Deno.test("KEY_VALUE reads torchforge's blocks with thousands separators", async () => {
  const run = await readText(
    "=== [GlobalReduce] - METRICS STEP 3 ===\n  grpo_loss/kl_divergence_mean: 1,568,987.96\n  grpo_loss/total_loss: 1.77\n" +
      "==============\n=== [GlobalReduce] - METRICS STEP 4 ===\n  grpo_loss/kl_divergence_mean: 12.5\n  grpo_loss/total_loss: nan\n",
  );
  assert.deepEqual(run.metrics.train_step, [3, 4]);
  assert.deepEqual(column(run, "kl"), [1_568_987.96, 12.5]);
  assert.deepEqual(column(run, "loss"), [1.77, NaN]);
  assert.equal(run.system, "torchforge");
});

Deno.test("KEY_VALUE reads verl's variant with one metric per line", async () => {
  const run = await readText(
    "step: 1\nactor/pg_loss: 0.5\nactor/grad_norm: np.float64(0.25)\nstep: 2\nactor/pg_loss: 0.75\nactor/grad_norm: 0.5\n",
  );
  assert.deepEqual(run.metrics.train_step, [1, 2]);
  assert.deepEqual(column(run, "grad_norm"), [0.25, 0.5]);
  assert.equal(run.system, "verl");
});

Deno.test("KEY_VALUE closes a record where a name comes again", async () => {
  const run = await readText("reward: 0.5\nloss: 0.1   grad_norm: 1.5\nreward: 0.75\nloss: None   grad_norm: 2.5\n");
  assert.deepEqual(column(run, "reward"), [0.5, 0.75]);
  assert.deepEqual(column(run, "loss"), [0.1, null]);
});

Deno.test("KEY_VALUE drops a value at the cut end of a file", async () => {
  const run = await readText("reward: 0.5\nloss: 0.1\ngrad_norm: 1");
  assert.deepEqual(column(run, "grad_norm"), undefined);
  assert.match(run.skipped[0]!.reason, /"grad_norm", at the cut end/);
});

for (
  const [text, value] of [
    ["1,568,987.96", 1568987.96],
    ["-1,000", -1000],
    ["0.5 ", 0.5],
    ["12.5 %", 12.5],
    ["3.2s", 3.2],
    ["np.float64(2.5)", 2.5],
    ["nan", NaN],
    ["1 of 3 things", null],
    ["v1", null],
    ["1.2.3", null],
  ] as const
) {
  Deno.test(`plainNumber() of "${text}" is ${value}`, () => {
    const found = plainNumber(text);
    assert.equal(found === null ? null : found.value, value);
  });
}

Deno.test("KEY_VALUE reads lines that begin with their step", async () => {
  const run = await readText("Step 1: loss=0.5, reward=nan\n[Step 20/100] loss 0.25 | reward 0.75 | lr 1e-06\n");
  assert.deepEqual(run.metrics.train_step, [1, 20]);
  assert.deepEqual(column(run, "loss"), [0.5, 0.25]);
  assert.deepEqual(column(run, "reward"), [NaN, 0.75]);
  assert.deepEqual(column(run, "learning_rate"), [null, 1e-6]);
});

Deno.test("KEY_VALUE reads several pairs in a line and leaves prose alone", async () => {
  const run = await readText(
    "loss: 0.0 reward: 0.5 kl: 0.1 grad_norm: 0.0\nI use lr = 1e-6 and the kl is about 0.001, reward=0.7.\n",
  );
  assert.deepEqual(column(run, "reward"), [0.5]);
  assert.deepEqual(column(run, "kl"), [0.1]);
});

Deno.test("KEY_VALUE reads pairs behind a logger's prefix", async () => {
  const run = await readText(
    "INFO:forge.metrics:grpo_loss/kl_divergence_mean: 1,568,987.96\nINFO:forge.metrics:reward: 0.5\n",
  );
  assert.deepEqual(column(run, "kl"), [1568987.96]);
  assert.deepEqual(column(run, "reward"), [0.5]);
});

for (
  const line of [
    "2026-05-01 12:00:00.123 | INFO     | trainer:log:88 - step 10 | reward 0.62 | kl 0.01",
    "2026-05-01 12:00:00 step 10 reward 0.62 kl 0.01",
    "step 10/300 reward 0.62, kl 0.01",
    "2026-05-01 12:00:00,123 - trainer - INFO - step=10 reward=0.62 kl=0.01",
    "12:00:00 INFO trainer - step: 10, reward: 0.62, kl: 0.01",
    "[2026-05-01 12:00:00] step=10 reward=0.62 kl=0.01",
  ]
) {
  Deno.test(`KEY_VALUE reads ${line}`, async () => {
    const intake = await readPost(`${line}\n${line.replace("10", "20").replace("0.62", "0.5")}\n`, "run.log");
    assert.deepEqual(recordsOf(intake), ["1 10 reward=0.62 kl=0.01", "2 20 reward=0.5 kl=0.01"]);
  });
}

Deno.test("KEY_VALUE takes a sentence that begins with a step for no record", async () => {
  const intake = await readPost("step 10 of the plan is 5 days long\nstep 3 was it 4 so far\n", "run.log");
  assert.deepEqual(recordsOf(intake), []);
});
