import assert from "node:assert/strict";
import { readText } from "../read_text.ts";

Deno.test("DEBUG_BLOCK reads Visual-RFT's blocks over several lines", async () => {
  const run = await readText(
    "------------- 24-14-24-56-900460 Accuracy reward of IoU: 0.75 -------------\n" +
      "content: <think>a\nb</think>\n<answer>[]</answer>\nsol: [1, 2]\nstudent_answer_bbox: []\nground_truth_bbox: []\n" +
      "------------- 24-14-24-56-900470 Accuracy reward of IoU: None -------------\ncontent: x\nsol: y\n",
  );
  assert.deepEqual(run.completions.map(({ text, answer, reward }) => [text, answer, reward]), [
    ["<think>a\nb</think>\n<answer>[]</answer>", "[1, 2]", 0.75],
    ["x", "y", null],
  ]);
  assert.deepEqual([...run.completions[0]!.rewards.keys()], ["Accuracy reward of IoU"]);
  assert.equal(run.system, "visual-rft");
});

Deno.test("DEBUG_BLOCK lets records pass that are printed between its blocks", async () => {
  const run = await readText(
    "------------- 24-14 Accuracy reward: 1.0 -------------\ncontent: a\nsol: b\n" +
      "{'loss': 0.5, 'grad_norm': 1.0, 'learning_rate': 1e-06, 'epoch': 0.1}\n",
  );
  assert.equal(run.completions.length, 1);
  assert.equal(run.metrics.rows, 1);
});
