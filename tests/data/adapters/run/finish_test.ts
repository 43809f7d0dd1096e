import assert from "node:assert/strict";
import { column, readFiles } from "../read_text.ts";

const LINES = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `step:${from + i} - actor/pg_loss:0.5${from + i} - actor/lr:1e-06\n`)
    .join("");

Deno.test("finish() joins logs that follow each other and takes the longest of those that overlap", async () => {
  const joined = await readFiles({ "a.log": LINES(1, 3), "b.log": LINES(4, 5) });
  assert.deepEqual(joined.metrics.train_step, [1, 2, 3, 4, 5]);
  assert.equal(joined.metrics.source.map((path) => path.at(-5)).join(""), "aaabb");
  const overlap = await readFiles({ "a.log": LINES(1, 3), "b.log": LINES(2, 6) });
  assert.deepEqual(overlap.metrics.train_step, [2, 3, 4, 5, 6]);
  assert(overlap.skipped.some(({ reason }) => /a\.log, which tells of the same run as .*b\.log/.test(reason)));
});

Deno.test("finish() gives settings the meaning they have in the system that was found", async () => {
  const run = await readFiles({
    "run.sh": "torchforge run\ngroup_size=8\nbeta=1e-6\n",
    "log.txt": "grpo_loss/total_loss: 1.5\n",
  });
  assert.deepEqual(run.settings.map(({ option, system }) => [option, system]), [
    ["group_size", "torchforge"],
    ["kl_coef", "torchforge"],
  ]);
});

Deno.test("finish() lists names without a column, with their counts", async () => {
  const run = await readFiles({
    "log.txt": "{'loss': 0.5, 'x/y': 1, 'epoch': 1}\n{'loss': 0.5, 'x/y': 2, 'epoch': 2}\n",
  });
  assert.deepEqual([...run.unmapped], [["x/y", 2]]);
  assert.deepEqual(column(run, "x/y"), [1, 2]);
});
