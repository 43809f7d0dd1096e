/** Lists whose numbers are train steps. */
import assert from "node:assert/strict";
import { Intake } from "../../../../../data/adapters/intake/intake.ts";
import { readNumberedList } from "../../../../../data/adapters/post/blocks/numbered_list.ts";
import { column, readFiles } from "../../read_text.ts";

const post = (...lines: string[]) => readFiles({ "post.md": `Here is my GRPO run:\n\n${lines.join("\n")}\n` });

Deno.test("readNumberedList() reads figures by train step", async () => {
  const run = await post("100：长度 288", "200：长度 397", "300：长度 541");
  assert.deepEqual(run.metrics.train_step, [100, 200, 300]);
  assert.deepEqual(column(run, "completion_length"), [288, 397, 541]);
});

Deno.test("readNumberedList() leaves the points of a list, and numbers that do not rise", () => {
  const intake = new Intake();
  intake.openSource("post.md", "post", 0);
  const lines = (...texts: string[]) => texts.map((text, i) => ({ text, number: i + 1, ended: true }));
  for (
    const texts of [
      ["1: reward 0.2", "2: loss 0.4", "3: kl 0.1"],
      ["100: reward 0.2", "50: reward 0.3", "200: reward 0.1"],
      ["100: reward 0.2", "200: reward 0.3"],
      ["100: fine", "200: fine", "300: fine"],
    ]
  ) assert.equal(readNumberedList(intake, lines(...texts)), false, texts.join());
});
