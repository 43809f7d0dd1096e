import assert from "node:assert/strict";
import { clausesOf } from "../../../../../data/adapters/post/clauses.ts";
import { Lesson } from "../../../../../data/adapters/post/stance/lesson.ts";
import { claimsOf, readPost } from "../read_post.ts";

const taught = (text: string, isPoint = false) => {
  const lesson = new Lesson();
  return clausesOf([{ text, number: 1, ended: true }]).map((clause) => lesson.teaches(clause, isPoint));
};

for (
  const text of [
    "This tutorial explains the three failures. 1. The loss is NaN.",
    "Dieses Tutorial erklärt drei Fehler. Der Loss ist NaN.",
    "Ce guide décrit trois erreurs. La perte est NaN.",
    "Esta guía describe tres fallos. La pérdida es NaN.",
    "Este guia descreve três erros. A perda é NaN.",
    "Это руководство описывает три ошибки. Лосс NaN.",
    "本教程介绍三种常见故障。loss 是 NaN。",
    "この記事ではよくある問題を説明します。loss が NaN です。",
    "이 글은 흔한 문제를 설명합니다. loss가 NaN입니다.",
    "How to avoid: loss NaN.",
    "常见问题：loss 是 NaN，奖励是 0。",
    "I explain why the loss is NaN, and why the reward is 0.",
    "Darin erkläre ich, warum der Loss NaN ist.",
    "J'y explique pourquoi la loss devient NaN, pourquoi la récompense reste à 0.",
    "Explico por qué la loss se vuelve NaN.",
    "Рассказываю, почему loss становится NaN.",
    "loss が NaN になる理由を解説しています。",
    "Troubleshooting. The loss is NaN.",
    "故障排查。loss 是 NaN。",
    "Устранение неполадок. Лосс NaN.",
    "I gave a talk about five ways in which RL breaks: the loss is NaN.",
    "Release notes: fixed a bug where the loss was NaN.",
    "[SOLVED] the loss was NaN. It was 0.",
  ]
) Deno.test(`Lesson teaches "${text}"`, () => assert(taught(text).every(Boolean)));

for (
  const text of [
    "This guide says nothing of it. The loss is NaN.",
    "I follow this tutorial that explains common problems. The loss is NaN.",
    "How to avoid NaN? The loss is NaN.",
    "Troubleshooting my loss: it is NaN.",
    "The problem: the loss is NaN.",
    "Can anyone explain why the loss is NaN?",
    "[SOLVED?] the loss is NaN. It was 0.",
    "In diesem Lauf ist der Loss NaN.",
  ]
) Deno.test(`Lesson teaches nothing in "${text}"`, () => assert(!taught(text).some(Boolean)));

Deno.test("a lesson ends where somebody speaks of themselves, a list where its points end", async () => {
  const claims = async (...lines: string[]) => claimsOf(await readPost(lines.join("\n")));
  assert.deepEqual(
    await claims("This guide lists typical failures.", "", "The loss is NaN.", "", "My GRPO run: the KL explodes."),
    ["5 kl.explodes"],
  );
  assert.deepEqual(
    await claims("Help with GRPO, please.", "Common failures:", "", "- the loss is NaN", "", "The KL explodes."),
    ["6 kl.explodes"],
  );
});

Deno.test("Lesson hears what a text of such a kind says of its writer's own run", () => {
  const lesson = new Lesson(), said = (sentence: string) => lesson.teaches({ sentence, isQuestion: false }, false);
  assert.equal(said("Release notes: in my run the loss is NaN from step 40 on."), false);
  assert.equal(said("Release notes: the loss of GRPO was NaN."), true);
});
