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

Deno.test("DEBUG_BLOCK knows Visual-RFT where no box could be read and where classes are judged, and R1-V by neither", async () => {
  const head = (title: string) => `------------- 24-14-24-56-900460 ${title}: 0.0 -------------\n`;
  const systems = [
    `${head("Accuracy reward of IoU")}content: no box\nsol: [1, 2]\n`,
    `${head("Accuracy reward of Confidence")}content: no box\nsol: [1, 2]\n`,
    `${head("Accuracy reward")}content: rose\nsol: <answer>tulip</answer>\n`,
    `${head("Accuracy reward")}Content: 3\nSolution: 4\n`,
    `${head("Accuracy reward of Steps")}content: 3\nsolution: 4\n`,
  ].map(async (text) => (await readText(text)).system);
  assert.deepEqual(await Promise.all(systems), ["visual-rft", "visual-rft", "visual-rft", null, null]);
});

Deno.test("DEBUG_BLOCK lets records pass that are printed between its blocks", async () => {
  const run = await readText(
    "------------- 24-14 Accuracy reward: 1.0 -------------\ncontent: a\nsol: b\n" +
      "{'loss': 0.5, 'grad_norm': 1.0, 'learning_rate': 1e-06, 'epoch': 0.1}\n",
  );
  assert.equal(run.completions.length, 1);
  assert.equal(run.metrics.rows, 1);
});

const block = (stamp: string, name: string, reward: number, content: string, sol: string) =>
  `------------- ${stamp} ${name}: ${reward} -------------\ncontent: ${content}\nsol: ${sol}\n`;
const places = async (text: string) =>
  (await readText(text)).completions.map(({ prompt_id, sample, text }) => [prompt_id, sample, text]);

Deno.test("DEBUG_BLOCK joins what several reward functions say of one completion", async () => {
  const [iou, confidence] = ["Accuracy reward of IoU", "Accuracy reward of Confidence"];
  const run = await readText(
    block("01-1", iou!, 0.5, "a", "s") + block("01-1", iou!, 0, "b", "s") + block("01-1", iou!, 0.5, "a", "s") +
      block("01-2", confidence!, 0.75, "a", "s") + block("01-2", confidence!, 0.25, "b", "s") +
      block("01-2", confidence!, 0.125, "a", "s") + block("01-2", confidence!, 1, "of none", "s"),
  );
  assert.deepEqual(run.completions.map(({ text, reward, rewards }) => [text, reward, [...rewards.values()]]), [
    ["a", 1.25, [0.5, 0.75]],
    ["b", 0.25, [0, 0.25]],
    ["a", 0.625, [0.5, 0.125]],
    ["of none", 1, [1]],
  ]);
});

Deno.test("DEBUG_BLOCK tells groups apart by their one time, or where each has its own by the solution", async () => {
  const name = "Accuracy reward";
  // Two prompts of one class, one after the other, and two processes that take turns.
  const shared = ["1 s", "1 s", "2 s", "2 s", "3 t", "4 u", "3 t", "4 u"];
  assert.deepEqual(
    await places(shared.map((at) => block(at.split(" ")[0]!, name, 1, at, at.split(" ")[1]!)).join("")),
    [[1, 0, "1 s"], [1, 1, "1 s"], [2, 0, "2 s"], [2, 1, "2 s"], [3, 0, "3 t"], [4, 0, "4 u"], [3, 1, "3 t"], [
      4,
      1,
      "4 u",
    ]],
  );
  const own = ["s", "s", "t", "t", "s"];
  assert.deepEqual((await places(own.map((sol, i) => block(`${i}`, name, 1, "x", sol)).join(""))).map(([id]) => id), [
    1,
    1,
    2,
    2,
    3,
  ]);
});
