import assert from "node:assert/strict";
import { readFiles, readText } from "./read_text.ts";

Deno.test("COMPLETIONS reads verl's rollout files: the step is the file's name, extras are rewards", async () => {
  const run = await readFiles({
    "rollouts/12.jsonl": '{"input": "1+1=", "output": "2", "gts": "2", "score": 1.0, "acc": true}\n' +
      '{"input": "1+1=", "output": "3", "gts": "2", "score": NaN, "acc": false}\n',
  });
  const [first, second] = run.completions;
  assert.deepEqual([first!.train_step, first!.prompt, first!.text, first!.answer, first!.reward], [
    12,
    "1+1=",
    "2",
    "2",
    1,
  ]);
  assert.deepEqual([...first!.rewards], [["acc", 1]]);
  assert.equal(second!.reward, NaN);
  assert.deepEqual([second!.prompt_id, second!.sample], [0, 1]);
});

Deno.test("COMPLETIONS reads batches in columns (ms-swift) and conversations (TRL)", async () => {
  const run = await readText(
    '{"gen_step": 3, "prompt": ["a", "b"], "completion": ["x", "y"], "Format": [0.0, 1.0]}\n' +
      '{"step": 4, "prompt": [{"role": "user", "content": "q"}], "completion": [{"role": "assistant", "content": "z"}], "r": null}\n',
  );
  assert.deepEqual(run.completions.map(({ train_step, prompt, text }) => [train_step, prompt, text]), [
    [3, "a", "x"],
    [3, "b", "y"],
    [4, "q", "z"],
  ]);
  assert.equal(run.completions[1]!.reward, 1);
});

Deno.test("COMPLETIONS keeps null and NaN apart and skips a cut line", async () => {
  const run = await readText(
    '{"step": 1, "prompt": "p", "completion": "a", "score_reward": null, "advantage": 0.5}\n' +
      '{"step": 1, "prompt": "p", "completion": "b", "score_reward": NaN, "advantage": null}\n' +
      '{"step": 1, "prompt": "p", "completion": "c", "score_rew',
  );
  assert.deepEqual(run.completions.map(({ rewards, advantage }) => [rewards.get("score_reward"), advantage]), [
    [null, 0.5],
    [NaN, null],
  ]);
  assert.deepEqual(run.skipped.map(({ reason, line }) => [reason, line]), [[
    "a JSON object cut at the end of the file",
    3,
  ]]);
});

Deno.test("COMPLETIONS numbers groups by prompt within a train step", async () => {
  const line = (step: number, prompt: string) =>
    `{"step": ${step}, "prompt": "${prompt}", "completion": "x", "reward": 0}\n`;
  const run = await readText([line(1, "a"), line(1, "b"), line(1, "a"), line(2, "a")].join(""));
  assert.deepEqual(run.completions.map(({ prompt_id, sample }) => [prompt_id, sample]), [[0, 0], [1, 0], [0, 1], [
    0,
    0,
  ]]);
});
