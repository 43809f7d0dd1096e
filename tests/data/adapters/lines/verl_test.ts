import assert from "node:assert/strict";
import { column, readText } from "../read_text.ts";

const LINE = (step: number, rest: string) => `(TaskRunner pid=4242) step:${step} - ${rest}\n`;

Deno.test("VERL reads prefixes, np.float64(), nan and full precision", async () => {
  const run = await readText(
    LINE(1, "actor/pg_loss:np.float64(0.0123456789) - actor/grad_norm:nan - critic/score/mean:0.5 - actor/lr:1e-06") +
      LINE(2, "actor/pg_loss:np.float64(-0.5) - actor/grad_norm:inf - critic/score/mean:1 - actor/lr:1e-06"),
  );
  assert.deepEqual(run.metrics.train_step, [1, 2]);
  assert.deepEqual(column(run, "policy_loss"), [0.0123456789, -0.5]);
  assert.deepEqual(column(run, "grad_norm"), [NaN, Infinity]);
  assert.equal(run.metrics.printed.get("learning_rate")!.decimals, null);
});

Deno.test("VERL knows lines that are rounded to three decimals", async () => {
  const run = await readText(LINE(1, "actor/lr:0.000 - actor/grad_norm:0.021 - actor/kl_loss:-0.000 - perf/x:12.500"));
  assert.deepEqual(["learning_rate", "grad_norm", "kl"].map((name) => run.metrics.printed.get(name)!.decimals), [
    3,
    3,
    3,
  ]);
});

Deno.test("VERL takes the factor out of the old names", async () => {
  const run = await readText(LINE(3, "actor/lr(1e-4):0.010 - critic/lr(1e-4):0.100 - timing/gen:21.470"));
  assert(Math.abs(column(run, "learning_rate")![0]! - 1e-6) < 1e-18);
  assert.deepEqual(column(run, "sample_ms"), [21470]);
  assert.equal(run.metrics.printed.get("learning_rate")!.decimals, null);
});

Deno.test("VERL drops the last value of a line that the file's end may have cut", async () => {
  const run = await readText(
    "step:1 - actor/pg_loss:0.123456 - actor/grad_norm:1.5\nstep:2 - actor/pg_loss:0.25 - actor/grad_norm:12.34",
  );
  assert.deepEqual(column(run, "grad_norm"), [1.5, null]);
  assert.deepEqual(column(run, "policy_loss"), [0.123456, 0.25]);
  assert.match(run.skipped[0]!.reason, /"actor\/grad_norm", at the cut end/);
});

Deno.test("VERL splits validation from training in one line", async () => {
  const run = await readText(
    LINE(10, "actor/pg_loss:0.1 - val-core/openai/gsm8k/acc/mean@1:0.75 - critic/score/mean:0.5"),
  );
  assert.equal(run.metrics.rows, 1);
  assert.deepEqual(run.evaluations.columns.get("accuracy"), [0.75]);
  assert.deepEqual(run.evaluations.train_step, [10]);
});

Deno.test("VERL does not take a sentence with step: for a record", async () => {
  const run = await readText("Final step: - nothing\nwarmup_step:3 - x\nnext step:5 then more\n");
  assert.equal(run.metrics.rows, 0);
});

Deno.test("VERL goes on with a step's line that a window has wrapped", async () => {
  const run = await readText(
    "step:5 - actor/pg_loss:0.100 - actor/grad_norm:nan -\ncritic/score/mean:0.500 - response_length/mean:12.000\n" +
      "step:6 - actor/pg_loss:0.200 - actor/grad_norm:nan\n",
  );
  assert.deepEqual(run.metrics.train_step, [5, 6]);
  assert.deepEqual(column(run, "reward"), [0.5, null]);
});

Deno.test("VERL takes 0.000 for rounded in a line of three decimals to which somebody added a count", async () => {
  const three = "actor/lr:0.000 - actor/grad_norm:0.021 - actor/entropy:0.500 - response_length/mean:305.123";
  const decimals = async (line: string) =>
    (await readText(LINE(1, line))).metrics.printed.get("learning_rate")!.decimals;
  assert.equal(await decimals(`${three} - host/fan_speed:1200`), 3);
  assert.equal(await decimals(`${three} - actor/pg_loss:0.0123`), null, "one value with more: all are printed whole");
  assert.equal(await decimals("actor/lr:0.000 - actor/grad_norm:0.5 - actor/entropy:1"), null);
});

Deno.test("VERL reads a step's line behind a logger's name", async () => {
  const run = await readText("INFO:verl.trainer:step:7 - actor/pg_loss:0.25 - actor/grad_norm:1.5\n");
  assert.deepEqual(run.metrics.train_step, [7]);
});
