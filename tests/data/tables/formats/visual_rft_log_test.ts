/** A run in Visual-RFT's print: what its own program would have written, and read again as its log. */
import assert from "node:assert/strict";
import { onePiece, tableOfRows } from "../../../../data/tables/mod.ts";
import { trackedSteps } from "../../../../data/tables/formats/tracked_steps.ts";
import { visualRftBlocks, visualRftConsole } from "../../../../data/tables/formats/visual_rft_log.ts";
import { tableOf } from "../../../../data/tables/table_of.ts";
import { readText } from "../../adapters/read_text.ts";

const STARTED = Date.UTC(2026, 0, 2, 3, 4, 5) / 1000;
const METRICS = tableOf("metrics", {
  train_step: [1, 2, 3],
  phase: ["sft", "rollout", "rollout"],
  loss: [1, 0, NaN],
  grad_norm: [1, 2.5, Infinity],
  learning_rate: [1e-3, 1e-6, 5e-7],
  completion_length: [null, 14, 20.5],
  reward: [null, 1.75, 2],
  group_reward_std: [null, 0.25, 0],
  reward_std: [null, 0.5, 0.5],
  kl: [null, 0, 0.125],
  entropy: [null, 1, 1],
});
const REWARDS = new Map([2, 3].map((step) => [
  step,
  new Map([["reward.visual/iou", 0.5], ["reward.visual/confidence", 0.25], ["reward.visual/format", 1], [
    "reward.own",
    0,
  ]]),
]));
const console = (last = 3) =>
  [...visualRftConsole(trackedSteps(METRICS, (step) => STARTED + 30 * step, REWARDS), last, STARTED)].join("");

Deno.test("visualRftConsole() prints the records of TRL 0.14 as Python does, with the bar behind each", () => {
  const [first, bar, second, end] = console().split("\n");
  assert.equal(
    first,
    "{'loss': 0.0, 'grad_norm': 2.5, 'learning_rate': 1e-06, 'completion_length': 14.0, 'rewards/accuracy_reward_iou': 0.5, " +
      "'rewards/accuracy_reward_confidence': 0.25, 'rewards/format_reward': 1.0, 'rewards/own': 0.0, 'reward': 1.75, " +
      "'reward_std': 0.25, 'kl': 0.0}",
  );
  assert.match(second!, /^\{'loss': nan, 'grad_norm': inf, 'learning_rate': 5e-07,/);
  assert.equal(bar, " 66%|██████    | 2/3 [01:00<00:30, 30.00s/it]");
  assert.equal(end, "100%|██████████| 3/3 [01:30<00:00, 30.00s/it]");
  assert.doesNotMatch(console(), /entropy|sft/);
});

Deno.test("visualRftConsole() is read as Visual-RFT's log, number by number", async () => {
  const { metrics, system } = await readText(console());
  assert.equal(system, "visual-rft");
  const column = (name: string) => metrics.columns.get(name);
  assert.deepEqual(column("grad_norm"), [2.5, Infinity]);
  assert.deepEqual(column("learning_rate"), [1e-6, 5e-7]);
  assert.deepEqual(column("reward.accuracy_reward_iou"), [0.5, 0.5]);
  assert.deepEqual(column("kl"), [0, 0.125]);
  assert(Number.isNaN(column("loss")![1]));
});

const answer = (box: string) => `<answer>[{'Position': [${box}], 'Confidence': 1}]</answer>`;
const COMPLETIONS = [[2, 7, 0, "a"], [2, 7, 1, "b"], [2, 9, 0, "c"], [3, 7, 0, "d"]].map((
  [train_step, prompt_id, sample, text],
  i,
) => ({
  train_step,
  prompt_id,
  sample,
  answer: prompt_id === 7 ? answer("1, 2, 3, 4") : null,
  text: `<think>${text}\nmore</think>${answer(`${i}, 0, 9, 9`)}`,
  reward: i,
  "reward.visual/iou": i / 4,
  "reward.visual/confidence": i === 3 ? null : 0.5,
  "reward.visual/format": 1,
}));
const blocks = (rows: readonly object[]) =>
  [...visualRftBlocks(
    onePiece("completions", tableOfRows("completions", rows as readonly Record<string, unknown>[])),
    (step) => STARTED + 30 * step,
    new Map([[9, "of the prompts"]]),
  )].join("");

Deno.test("visualRftBlocks() writes a group's blocks by reward function, each call with one time", () => {
  const heads = blocks(COMPLETIONS).split("\n").filter((line) => line.startsWith("-----"));
  const line = (time: string, what: string, value: string) =>
    `------------- 02-03-${time} Accuracy reward of ${what}: ${value} -------------`;
  assert.deepEqual(heads, [
    line("05-05-000000", "IoU", "0.0"),
    line("05-05-000000", "IoU", "0.25"),
    line("05-05-000001", "Confidence", "0.5"),
    line("05-05-000001", "Confidence", "0.5"),
    line("05-05-000002", "IoU", "0.5"),
    line("05-05-000003", "Confidence", "0.5"),
    line("05-35-000000", "IoU", "0.75"),
  ]);
  assert.equal(
    blocks(COMPLETIONS.slice(3)),
    line("05-35-000000", "IoU", "0.75") +
      `\ncontent: <think>d\nmore</think>${answer("3, 0, 9, 9")}\nsol: ${answer("1, 2, 3, 4")}\n` +
      "student_answer_bbox: [{'Position': [3, 0, 9, 9], 'Confidence': 1}]\n" +
      "ground_truth_bbox: [{'Position': [1, 2, 3, 4], 'Confidence': 1}]\n",
  );
});

Deno.test("visualRftBlocks() is read as completions in their groups, with both rewards", async () => {
  const { completions } = await readText(blocks(COMPLETIONS));
  assert.deepEqual(completions.map(({ text }) => text), COMPLETIONS.map(({ text }) => text));
  assert.deepEqual(
    completions.map(({ answer }) => answer),
    COMPLETIONS.map(({ answer }) => answer ?? "of the prompts"),
  );
  assert.deepEqual(completions.map(({ prompt_id }) => prompt_id), [1, 1, 2, 3]);
  assert.deepEqual(completions.map(({ rewards }) => [...rewards.values()]), [[0, 0.5], [0.25, 0.5], [0.5, 0.5], [
    0.75,
  ]]);
});

Deno.test("visualRftBlocks() heads other rewards once, formats never", () => {
  const rows = [{
    train_step: 1,
    prompt_id: 1,
    sample: 0,
    text: "x",
    answer: "y",
    "reward.exact": 1,
    "reward.two": 0,
    "reward.format": 1,
  }];
  assert.equal(
    blocks(rows),
    "------------- 02-03-04-35-000000 Accuracy reward: 1.0 -------------\ncontent: x\nsol: y\n",
  );
});
