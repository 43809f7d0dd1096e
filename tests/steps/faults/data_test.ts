import assert from "node:assert/strict";
import { faulty } from "./fault_context.ts";

const PROMPTS = {
  prompt_id: [0, 1, 2, 3],
  prompt: ["1+1=", "2+2=", "3+3=", "4+4="],
  answer: ["2", "4", "6", "8"],
  split: ["held_out", "train", "train", "train"],
};

Deno.test("shuffled_answers keeps the answers and moves them", async () => {
  const column = await faulty("shuffled_answers", "prompts", PROMPTS);
  assert.notDeepEqual(column("answer"), PROMPTS.answer);
  assert.deepEqual(column("answer").sort(), PROMPTS.answer);
  assert.deepEqual(column("prompt"), PROMPTS.prompt);
});

Deno.test("duplicated_prompts leaves one row of train", async () => {
  const column = await faulty("duplicated_prompts", "prompts", PROMPTS);
  assert.deepEqual(column("prompt"), Array(4).fill("2+2="));
  assert.deepEqual(column("answer"), Array(4).fill("4"));
});

Deno.test("worded_answers and impossible_task give answers that no sum has", async () => {
  for (const kind of ["worded_answers", "impossible_task"] as const) {
    const answers = (await faulty(kind, "prompts", PROMPTS))("answer") as string[];
    assert.ok(answers.every((answer) => !/^\d+$/.test(answer)), kind);
  }
});
