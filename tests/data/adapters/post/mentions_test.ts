import assert from "node:assert/strict";
import { mentionsIn } from "../../../../data/adapters/post/mentions.ts";

const mentions = (text: string) =>
  mentionsIn(text).map(({ subject, name, at, end }) => `${text.slice(at, end)}: ${subject} ${name}`);

Deno.test("mentionsIn() finds words and printed names, in the order of the text", () => {
  assert.deepEqual(mentions("the loss and actor/grad_norm, then 奖励"), [
    "loss: loss loss",
    "actor/grad_norm: grad_norm actor/grad_norm",
    "奖励: reward reward",
  ]);
});

Deno.test("mentionsIn() knows subjects without numbers, and names of single rewards and of evaluations", () => {
  assert.deepEqual(mentions("my completions"), ["completions: completions null"]);
  assert.deepEqual(mentions("rewards/format_reward/mean"), [
    "rewards/format_reward/mean: format_reward rewards/format_reward/mean",
  ]);
  assert.deepEqual(mentions("eval/loss")[0]?.split(" ")[1], "eval_loss");
  assert.deepEqual(mentions("eval/accuracy")[0]?.split(" ")[1], "evaluation");
});

Deno.test("mentionsIn() leaves options, limits and words within names alone", () => {
  assert.deepEqual(mentions("max grad norm, init_kl_coef, lossy, global_step"), []);
  assert.deepEqual(mentions(""), []);
});

Deno.test("mentionsIn() takes the name of a command's option for no mention", () => {
  assert.deepEqual(mentionsIn("with --clip-grad 0 and --kl 0 too"), []);
  assert.deepEqual(mentionsIn("clipped -- grad norm 0.3").map(({ subject }) => subject), ["grad_norm"]);
});
