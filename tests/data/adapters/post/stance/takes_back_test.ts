import assert from "node:assert/strict";
import {
  beginsInJest,
  isJest,
  isNo,
  isNotSo,
  isOfAnother,
} from "../../../../../data/adapters/post/stance/takes_back.ts";
import { claimsOf, readPost } from "../read_post.ts";

const open = async (text: string) =>
  claimsOf(await readPost(`Hi, GRPO, a question?\n\n${text}\n`)).filter((claim) => /^\d.*not_finite/.test(claim));

for (
  const text of [
    "The loss is NaN from step 1 — just kidding, all fine.",
    "Der Loss ist NaN, war nur ein Scherz.",
    "La perte est NaN. Je plaisante.",
    "La pérdida es NaN, es broma.",
    "A perda é NaN. Brincadeira!",
    "Лосс NaN, шучу.",
    "loss 是 NaN。开玩笑的，一切正常。",
    "loss が NaN です。冗談です。",
    "loss가 NaN입니다. 농담입니다.",
    "Loss NaN ab Schritt 1, so sah das letzte Woche bei Kollege Meier aus.",
    "The loss is NaN, that is what it looked like for a colleague.",
    "loss 是 NaN，那是同事的实验。",
    "Is the loss NaN? No. So why is it slow?",
    "Ist der Loss NaN? Nein.",
    "loss 是 NaN 吗？没有。",
    "People warn that the loss is NaN; reading 200 records we found none.",
    "Others report that the loss is NaN. None of this happened to us.",
    "Der Loss ist NaN, sagt man. Nichts davon ist bei uns passiert.",
    "La perte est NaN. Aucune de ces choses n'est arrivée chez nous.",
    "La pérdida es NaN. Ninguna de estas cosas ocurrió aquí.",
    "A perda é NaN. Nada disso aconteceu aqui.",
    "Лосс NaN. Ничего из этого не было.",
    "loss 是 NaN。这些问题都没有出现。",
    "loss が NaN です。これらはいずれも起きませんでした。",
    "loss가 NaN입니다. 이런 문제는 전혀 없었습니다.",
  ]
) Deno.test(`what is taken back is no claim of the run: "${text}"`, async () => assert.deepEqual(await open(text), []));

for (
  const text of [
    "The loss is NaN from step 1. None of these fixes helped.",
    "The loss is NaN from step 1. With bf16 we found none.",
    "No joke, the loss is NaN from step 1.",
    "I'm not kidding, the loss is NaN.",
    "The loss is NaN. My colleague has no idea why.",
    "So sah das bei mir aus, der Loss ist NaN.",
    "Why is the loss NaN? No idea.",
    "Is the loss NaN because of it? No. 5 says so.",
  ]
) Deno.test(`what is not taken back is one: "${text}"`, async () => assert.equal((await open(text)).length, 1));

Deno.test("isJest(), beginsInJest() and isOfAnother() look for whole words, in time that grows with the text", () => {
  assert(isJest(" just kidding") && !isJest(" not kidding") && !isJest(" kidded"));
  assert(beginsInJest("Just kidding") && !beginsInJest("It runs and I am just kidding"));
  assert(isNo("Also no") && isNo("没有") && !isNo("No idea") && !isNo(""));
  assert(isOfAnother(", so war das bei einem Freund") && !isOfAnother(", so war das bei mir"));
  for (const part of ["so sah ", "kidding ", "that is how "]) isOfAnother(part.repeat(20_000));
});

Deno.test("isNotSo() is true of a sentence that says that the one before it is not so", () => {
  for (
    const sentence of [
      "It is not",
      "That is not true",
      "Das stimmt nicht",
      "No es cierto",
      "不是这样的",
      "そうではありません",
    ]
  ) assert.ok(isNotSo(sentence), sentence);
  for (const sentence of ["It is not clear why", "It is not moving", "不是这个问题"]) {
    assert.ok(!isNotSo(sentence), sentence);
  }
});
