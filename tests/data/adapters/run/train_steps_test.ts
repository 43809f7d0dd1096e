/** Logs that print no train steps: which are known all the same, and which stay the numbers of records. */
import assert from "node:assert/strict";
import { readFiles, readText, type ShownRun } from "../read_text.ts";

/** Records of transformers' Trainer at these train steps, epochs as it prints them. */
function records(steps: readonly number[], perEpoch: number, digits = 4): string[] {
  return steps.map((step) =>
    `{'loss': 0.5, 'grad_norm': 1.5, 'learning_rate': 1e-06, 'reward': 0.25, 'epoch': ${
      Number((step / perEpoch).toFixed(digits))
    }}`
  );
}

const every = (interval: number, count: number, before = 0) =>
  Array.from({ length: count }, (_, i) => interval * (i + 1 + before));
const text = (lines: readonly string[]) => lines.join("\n") + "\n";

function assertSteps({ metrics, rows }: ShownRun, steps: readonly number[], known = true): void {
  assert.deepEqual([metrics.train_step, rows.log!.stepsPrinted], [steps, known]);
}

Deno.test("options tell the interval, epochs where the records begin", async () => {
  const log = (steps: readonly number[]) => text(records(steps, 100));
  const config = { "args.yaml": "logging_steps: 10\n" };
  assertSteps(await readFiles({ "log.txt": log(every(10, 20)), ...config }), every(10, 20));
  assertSteps(await readFiles({ "log.txt": log(every(10, 20, 7)), ...config }), every(10, 20, 7));
  const first = [1, ...every(10, 20)];
  assertSteps(await readFiles({ "log.txt": log(first), ...config }), first);
  assertSteps(
    await readFiles({ "log.txt": log(first), "args.yaml": "logging_steps: 10\nlogging_first_step: true\n" }),
    first,
  );
});

Deno.test("a share of the run as logging_steps is one of its updates", async () => {
  const files = { "log.txt": text(records(every(10, 20), 100)), "args.yaml": "logging_steps: 0.05\nmax_steps: 200\n" };
  assertSteps(await readFiles(files), every(10, 20));
});

Deno.test("without epochs the records count from the beginning where they are all of the run", async () => {
  const lines = Array.from({ length: 20 }, () => "{'loss': 0.5, 'grad_norm': 1.5, 'kl': 0.25}");
  const read = (lines: string[], max: number) =>
    readFiles({ "log.txt": text(lines), "args.yaml": `logging_steps: 10\nmax_steps: ${max}\n` });
  assertSteps(await read(lines, 200), every(10, 20));
  assertSteps(await read(lines, 300), every(1, 20), false);
});

Deno.test("num_train_epochs and the number of updates tell how many make an epoch", async () => {
  const files = { "args.yaml": "num_train_epochs: 3\n" }, header = "  Total optimization steps = 300";
  const log = (lines: readonly string[]) => text([header, ...lines]);
  assertSteps(await readFiles({ "log.txt": log(records(every(5, 30), 100)), ...files }), every(5, 30));
  // With max_steps the number of epochs is rounded up.
  const stopped = { "args.yaml": "num_train_epochs: 3\nmax_steps: 300\n" };
  assertSteps(await readFiles({ "log.txt": log(records(every(5, 30), 170)), ...stopped }), every(1, 30), false);
});

Deno.test("the summary at the end tells how many updates an epoch has, as well as its digits let it", async () => {
  const log = (rate: string, epoch: string) =>
    text([
      ...records(every(10, 60), 15.5625),
      `{'train_runtime': '37.2', 'train_steps_per_second': '${rate}', 'train_loss': '0.1', 'epoch': '${epoch}'}`,
    ]);
  assertSteps(await readText(log("16.13", "38.55")), every(10, 60));
  assertSteps(await readText(log("0.016", "38.55")), every(1, 60), false);
});

Deno.test("bars between the records tell their train steps, also those of a log without epochs", async () => {
  const bar = (done: number) => ` ${Math.floor(done / 2.5)}%|#2 | ${done}/250 [00:25<10:05, 2.24s/it]`;
  const lines = every(10, 12).flatMap((step) => [
    `\r${bar(step - 3)}\r${bar(step)}`,
    "\r{'loss': 0.5, 'grad_norm': 1.5, 'kl': 0.25}",
    `\r${bar(step)}`,
  ]);
  assertSteps(await readText(text([bar(0), ...lines])), every(10, 12));
});

Deno.test("evaluations and messages stand at the train steps that were found", async () => {
  const lines = records(every(10, 20), 100);
  lines.splice(5, 0, "{'eval_loss': 0.75, 'epoch': 0.5}", "CUDA out of memory");
  const run = await readFiles({ "log.txt": text(lines), "args.yaml": "logging_steps: 10\n" });
  assert.deepEqual(run.evaluations.train_step, [50]);
  assert.deepEqual(run.messages.map(({ kind, train_step }) => [kind, train_step]), [["out_of_memory", 50]]);
});

Deno.test("where nothing tells them, or what tells does not fit, records are counted", async () => {
  assertSteps(await readText(text(records(every(10, 20), 100))), every(1, 20), false);
  const read = (lines: string[]) => readFiles({ "log.txt": text(lines), "args.yaml": "logging_steps: 10\n" });
  assertSteps(await read(records(every(10, 3), 100_000, 2)), every(1, 3), false);
  assertSteps(await read(records([10, 20, 50, 90, 100, 110], 100)), every(1, 6), false);
  assertSteps(await read(records([10], 100)), [1], false);
  // In the middle of an interval.
  assertSteps(await read(records([25, 35, 45, 55], 100)), every(1, 4), false);
});
