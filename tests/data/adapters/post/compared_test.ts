import assert from "node:assert/strict";
import { comparedIn } from "../../../../data/adapters/post/compared.ts";
import { claimsOf, readPost, toldOf } from "./read_post.ts";

for (
  const text of [
    "With lr 1e-3 the loss becomes NaN at step 5. With lr 1e-6 the reward rises from 0.2 to 0.6.",
    "Qwen2.5-0.5B: loss NaN from step 1. Qwen2.5-7B: reward 0.2 -> 0.6.",
    "In TRL 0.14 the loss was NaN from step 1; in TRL 0.24 GRPO works, reward 0.2 -> 0.6.",
    "GRPO: Mit lr 1e-3 wird der Loss NaN. Mit lr 1e-6 steigt der Reward von 0,2 auf 0,6.",
    "GRPO : avec lr 1e-3 la perte devient NaN. Avec lr 1e-6 la récompense monte de 0,2 à 0,6.",
    "Con lr 1e-3 la pérdida es NaN. Con lr 1e-6 la recompensa sube de 0,2 a 0,6.",
    "Com lr 1e-3 a perda é NaN. Com lr 1e-6 a recompensa sobe de 0,2 para 0,6.",
    "С lr 1e-3 лосс NaN. С lr 1e-6 награда растёт с 0,2 до 0,6.",
    "学习率 1e-3 的时候 loss 变 NaN。学习率 1e-6 的时候奖励从 0.2 涨到 0.6。",
    "学習率 1e-3 では loss が NaN です。学習率 1e-6 では報酬が 0.2 から 0.6 に上がります。",
    "학습률 1e-3에서는 loss가 NaN입니다. 학습률 1e-6에서는 보상이 0.2에서 0.6으로 올라갑니다.",
  ]
) {
  Deno.test(`two runs that end differently are not one: "${text}"`, async () => {
    const intake = await readPost(`Hi, GRPO, a question?\n\n${text}\n`);
    assert.deepEqual([claimsOf(intake).filter((claim) => /^\d/.test(claim)), toldOf(intake)], [[], []]);
  });
}

Deno.test("comparedIn() is silent of one run, of one value, and of runs that end alike", () => {
  for (
    const sentences of [
      ["With lr 1e-3 the loss becomes NaN", "The reward rose at first"],
      ["With lr 1e-3 the loss becomes NaN", "With lr 1e-3 the reward rises"],
      ["With lr 1e-3 the loss becomes NaN", "With lr 1e-4 the loss is NaN"],
      ["With lr 1e-3 the reward rises", "With beta 0.1 the loss is NaN"],
      ["At step 1 it is NaN", "At step 2 it works"],
    ]
  ) assert(!comparedIn(sentences).some(Boolean), sentences.join(". "));
});

Deno.test("comparedIn() takes what stands between two runs for the first of them, and nothing around them", () => {
  const sentences = ["GRPO", "With lr 1e-3 it is NaN", "It is so always", "With lr 1e-6 it works", "Why"];
  assert.deepEqual(comparedIn(sentences), [false, true, true, true, false]);
});

Deno.test("comparedIn() reads long sentences in time that grows with them", () => {
  for (const part of ["with lr ", "1 -> ", "Qwen-", "in trl 1."]) comparedIn([part.repeat(20_000), "with lr 2 nan"]);
});
