import assert from "node:assert/strict";
import { column, readFiles, readText } from "./read_text.ts";

const STATE = (records: string) =>
  `{\n  "global_step": 2,\n  "log_history": [\n${records}\n  ],\n  "max_steps": 40\n}\n`;
const RECORD = (step: number, loss: string) =>
  `    {\n      "epoch": 0.${step},\n      "grad_norm": 1.5,\n      "loss": ${loss},\n      "step": ${step}\n    }`;

Deno.test("TRAINER_STATE reads records with bare NaN and Infinity, their steps and lines", async () => {
  const run = await readText(STATE([RECORD(5, "NaN"), RECORD(10, "-Infinity"), RECORD(15, "0.25")].join(",\n")));
  assert.deepEqual(column(run, "loss"), [NaN, -Infinity, 0.25]);
  assert.deepEqual(run.metrics.train_step, [5, 10, 15]);
  assert.deepEqual(run.metrics.line, [4, 10, 16]);
  assert.equal(run.sources[0]!.format, "trainer_state");
  const steps = run.settings.find(({ option }) => option === "train_steps")!;
  assert.deepEqual([steps.value, steps.line], [40, 23]);
});

Deno.test("TRAINER_STATE joins the records of one step and keeps evaluations apart", async () => {
  const run = await readText(
    STATE(
      '{"loss": 0.5, "step": 1},\n{"attention/mdi": 3.0, "step": 1},\n{"eval_loss": 0.75, "epoch": 1.0, "step": 1},\n' +
        '{"loss": 0.25, "step": 2}',
    ),
  );
  assert.deepEqual(column(run, "loss"), [0.5, 0.25]);
  assert.deepEqual(column(run, "attention/mdi"), [3, null]);
  assert.deepEqual(run.evaluations.columns.get("loss"), [0.75]);
});

Deno.test("TRAINER_STATE knows that transformers 4 rounds the loss to four decimals", async () => {
  const rounded = await readText(STATE(`${RECORD(1, "0.0")},\n${RECORD(2, "0.0335")}`));
  assert.equal(rounded.metrics.printed.get("loss")!.decimals, 4);
  const full = await readText(STATE(`${RECORD(1, "0.498958557844162")},\n${RECORD(2, "0.5")}`));
  assert.equal(full.metrics.printed.get("loss")!.decimals, null);
});

Deno.test("TRAINER_STATE reads a cut file up to the cut and says where that is", async () => {
  const text = STATE(`${RECORD(1, "0.5")},\n${RECORD(2, "0.25")}`);
  const run = await readText(text.slice(0, text.indexOf('"loss": 0.25') + 10));
  assert.deepEqual(column(run, "loss"), [0.5]);
  assert.match(run.sources[0]!.partial!, /ends inside log_history, after line 10/);
});

Deno.test("TRAINER_STATE stops at what is no record", async () => {
  const run = await readText(STATE(`${RECORD(1, "0.5")},\n{"loss": oops oops,\n${RECORD(2, "0.25")}`));
  assert.deepEqual(column(run, "loss"), [0.5]);
  assert.match(run.sources[0]!.partial!, /line 10/);
});

Deno.test("TRAINER_STATE reads only the last checkpoint of a folder", async () => {
  const state = (steps: number) => STATE(Array.from({ length: steps }, (_, i) => RECORD(i + 1, "0.5")).join(",\n"));
  const run = await readFiles({
    "checkpoint-2/trainer_state.json": state(2),
    "checkpoint-10/trainer_state.json": state(4),
    "checkpoint-10/model.safetensors": "x",
  });
  assert.equal(run.metrics.rows, 4);
  assert.deepEqual(run.sources.map(({ path }) => path.split("/").at(-2)), ["checkpoint-10"]);
});

Deno.test("TRAINER_STATE is preferred to a rounded console of the same run", async () => {
  const run = await readFiles({
    "log.txt": "{'loss': '0.499', 'grad_norm': '1.5', 'learning_rate': '1e-06', 'epoch': '0.1'}\n",
    "trainer_state.json": STATE(RECORD(1, "0.498958557844162")),
  });
  assert.deepEqual(column(run, "loss"), [0.498958557844162]);
  assert(run.skipped.some(({ reason }) => reason.includes("tells of the same run")));
});

Deno.test("TRAINER_STATE holds no more than a header of what stands before the records", async () => {
  const note = `"note": "${"x".repeat(40e6)}",\n`;
  const run = await readFiles({ "trainer_state.json": STATE(RECORD(5, "0.25")).replace("{", `{${note}`) }, true);
  assert.deepEqual([column(run, "loss"), run.metrics.line], [[0.25], [5]]);
  assert.equal(run.settings.at(-1)!.name, "max_steps");
});
