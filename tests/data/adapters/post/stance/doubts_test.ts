import assert from "node:assert/strict";
import { comparesNumbers, doubts, hasUnread, tellsOutcome } from "../../../../../data/adapters/post/stance/doubts.ts";
import { viewOfPost } from "../../../../steps/diagnoses/told/view_of_post.ts";
import { untold } from "../../../../../steps/diagnoses/told/untold.ts";

Deno.test("doubts() knows what sets itself against what went before, in each language", () => {
  for (
    const sentence of [
      "But users hate it",
      "What happened?",
      "Die Nutzer sind aber unzufrieden",
      "Mais les réponses sont plates",
      "Pero nadie lo usa",
      "Mas ninguém usa",
      "Но никому не нравится",
      "不过用户都不喜欢",
      "しかし誰も使いません",
      "하지만 아무도 쓰지 않아요",
    ]
  ) assert(doubts(sentence), sentence);
  for (const sentence of ["We use eight cards", "It runs since Monday", "用了八张卡", "Butter and flour"]) {
    assert(!doubts(sentence), sentence);
  }
});

Deno.test("tellsOutcome() is true of what a run writes and of who judges it, not of what somebody does with it", () => {
  for (
    const sentence of [
      "Users prefer the old one",
      "the model outputs zeros",
      "Das Modell hat gelernt, den Prüfer auszutricksen",
      "模型直接在代码里把测试用例的答案写死了",
      "El modelo escribe las respuestas de los tests",
    ]
  ) assert(tellsOutcome(sentence), sentence);
  for (
    const sentence of ["Then we merged the adapter", "Base model Qwen2.5-0.5B", "We plan to share the model weights"]
  ) {
    assert(!tellsOutcome(sentence), sentence);
  }
});

Deno.test("hasUnread() is true of a number that was not read and is not counted, and of NaN", () => {
  assert(hasUnread("MATH500: 71 before, 33 after", []));
  assert(hasUnread("MATH500: 71 before, 33 after", [71]));
  assert(!hasUnread("MATH500: 71 before, 33 after", [0.71, 0.33]));
  assert(!hasUnread("Train reward went 0.40 → 0.94 (max is 1)", [0.4, 0.94]));
  assert(!hasUnread("奖励从 4 涨到 9（满分 10）", [4, 9]));
  assert(hasUnread("Train reward went 0.40 → 0.94, the max length is 12", [0.4, 0.94]));
  assert(hasUnread("after that NaN", [0.2]));
  assert(!hasUnread("after that NaN", [NaN]));
  for (
    const sentence of [
      "8 GPUs for 9 hours",
      "Qwen2.5-7B with 400 steps",
      "at step 300",
      "seed 2",
      "用了 8 张卡",
      "version 0.15",
    ]
  ) assert(!hasUnread(sentence, []), sentence);
});

Deno.test("comparesNumbers() is true of a result, of a test by its name, and of a time", () => {
  for (const sentence of ["GSM8K 41", "now 0.05", "训练前 71", "vorher 71", "the reward is odd"]) {
    assert(comparesNumbers(sentence), sentence);
  }
  assert(!comparesNumbers("8 cards with 80 GB each"));
});

const SOUND = "TRL GRPO. Reward 0.2 → 0.5 → 0.8, val acc 0.31 → 0.48.";
const LIES = [
  "MATH500: 71 before, 33 after.",
  "MATH500：训练前 71，训练后 33。",
  "On GSM8K it gets 12% where the base model had 47%.",
  "Correction: it is 0.1.",
  "People rate it 2.1 of 5; the SFT model got 4.3.",
  "Users prefer the old one 9 to 1.",
  "Das Modell hat gelernt, den Prüfer auszutricksen.",
  "Then I merged: perplexity 4000.",
];

Deno.test("a run of words alone is not called healthy beside a result that is not understood", async () => {
  assert.equal(untold(await viewOfPost(`Hi,\n\n${SOUND}\n`)), null);
  assert.equal(untold(await viewOfPost(`Hi,\n\n${SOUND} Then we merged the adapter on 4 GPUs.\n`)), null);
  for (const lie of LIES) {
    assert.match(untold(await viewOfPost(`Hi,\n\n${SOUND} ${lie}\n`)) ?? "", /not understood|no number tells/, lie);
  }
});

Deno.test("neither a question nor what a reward gives is a result that is not understood", async () => {
  for (
    const more of [
      "Is a score of 0.55 normal for this benchmark?",
      "The reward is 1 if correct, 0 otherwise.",
      "Users like it, is 7 of 10 usual?",
    ]
  ) assert.equal(untold(await viewOfPost(`Hi,\n\n${SOUND} ${more}\n`)), null, more);
});

Deno.test("a run of words alone is not called healthy where nothing held out has risen with the reward", async () => {
  const of = async (scores: string) =>
    untold(await viewOfPost(`Hi,\n\nTRL GRPO. Reward 0.2 → 0.5 → 0.8, ${scores}.\n`));
  for (const scores of ["val acc 0.08, 0.07, 0.08", "val acc 0.31 → 0.30", "val acc 31 % → 30 %"]) {
    assert.match(await of(scores) ?? "", /nothing held out has risen/, scores);
  }
  assert.equal(await of("val acc 0.31 → 0.48"), null);
  assert.doesNotMatch(await of("val acc 0.93 → 0.93") ?? "", /nothing held out/);
});

Deno.test("a few records of training are not called healthy beside a result that is not understood", async () => {
  const table = "| step | reward |\n|---|---|\n| 100 | 0.25 |\n| 200 | 0.5 |\n| 300 | 0.75 |\n| 400 | 0.9 |\n";
  const of = async (more: string) => untold(await viewOfPost(`Hi, GRPO.\n\n${table}\n${more}\n`));
  assert.equal(await of("We train on eight cards."), null);
  for (
    const more of [
      "Manual reading: the policy answers in base64 to please the judge.",
      "Humans hate it: blind rating fell from 4.1 to 1.9.",
    ]
  ) assert.match(await of(more) ?? "", /not understood|no number tells/, more);
});

Deno.test("a proof does not answer a complaint in unknown words in the same sentence", async () => {
  for (
    const text of [
      "La pérdida de validación baja de 1,6 a 1,05, pero el modelo contesta lo mismo a todas las preguntas.",
      "eval_loss 从 1.6 降到 1.05，但是模型回答完全答非所问。",
      "验证奖励 0.3→0.87，但人工看样本发现回答全是复制题目。",
    ]
  ) assert.match(untold(await viewOfPost(`Hi, SFT.\n\n${text}\n`)) ?? "", /not understood|no number tells/, text);
  assert.equal(
    untold(await viewOfPost("Hi, SFT.\n\nThe eval loss falls from 1.6 to 1.05, and we train on 8 GPUs.\n")),
    null,
  );
});
