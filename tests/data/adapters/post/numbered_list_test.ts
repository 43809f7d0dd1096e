/** Lists whose numbers are train steps. */
import assert from "node:assert/strict";
import { column, readFiles } from "../read_text.ts";

const post = (...lines: string[]) => readFiles({ "post.md": `Here is my GRPO run:\n\n${lines.join("\n")}\n` });

Deno.test("readNumberedList() reads figures by train step", async () => {
  const run = await post("100：长度 288", "200：长度 397", "300：长度 541");
  assert.deepEqual(run.metrics.train_step, [100, 200, 300]);
  assert.deepEqual(column(run, "completion_length"), [288, 397, 541]);
});

Deno.test("readNumberedList() leaves the points of a list", async () => {
  const run = await post("1: reward looks fine", "2: loss is strange", "3: kl I did not look at");
  assert.equal(run.metrics.rows, 0);
});
