import assert from "node:assert/strict";
import { isFixed, isOfNow, isSolved, isWellNow, settledIn, wasWell } from "../../../../data/adapters/post/settled.ts";
import { claimsOf, readPost, toldOf } from "./read_post.ts";

const OVER = [
  "Before: the reward was 0 for 500 steps. Now, with a warm start, it works.",
  "UPDATE: solved. The reward was stuck at 0. After the fix GRPO works.",
  "Until I fixed the dtype the loss was NaN.",
  "Thanks to the maintainers who fixed the bug where the reward was always 0!",
  "We fixed the NaN loss by switching to bf16.",
  "Problem gelöst: Der Reward war 300 Schritte lang 0.",
  "Vorher war der Loss NaN. Jetzt läuft GRPO prima.",
  "Wir haben den NaN-Loss behoben.",
  "Problème résolu : la récompense était à 0.",
  "La perte était NaN. Maintenant tout marche bien.",
  "Resuelto: antes la pérdida era NaN.",
  "Antes a perda era NaN. Agora o treino funciona.",
  "Раньше лосс был NaN. Теперь всё работает.",
  "问题已解决：之前奖励一直是 0。",
  "之前 loss 是 NaN。现在一切正常。",
  "解決しました：以前は loss が NaN でした。",
  "해결했습니다: 이전에는 loss가 NaN이었습니다.",
];
for (const text of OVER) {
  Deno.test(`what is over is no claim of the run: "${text}"`, async () => {
    const intake = await readPost(`Hi, GRPO, a question?\n\n${text}\n`);
    const open = claimsOf(intake).filter((claim) => /^\d.*\.(?:zero|not_finite|constant)$/.test(claim));
    assert.deepEqual([open, toldOf(intake)], [[], []]);
  });
}

for (
  const text of [
    "Before the update it worked, now the loss is NaN.",
    "GRPO worked fine before, after upgrading TRL the loss is NaN.",
    "Since I fixed the template the loss is NaN.",
    "I fixed the dtype and the loss is NaN.",
    "I fixed the template but the loss is still NaN.",
    "The loss was NaN from step 1. Now I am lost, it is not solved.",
    "The loss was NaN from step 1. What works now?",
    "Has anyone solved the problem that the loss is NaN?",
    "Vorher lief es gut. Jetzt ist der Loss NaN.",
    "Avant ça marchait, maintenant la perte est NaN.",
    "Antes funcionaba, ahora la pérdida es NaN.",
    "Antes funcionava, agora a perda é NaN.",
    "Раньше всё работало, теперь лосс NaN.",
    "之前一切正常，升级之后 loss 是 NaN。",
    "以前は正常でしたが、アップデート後は loss が NaN です。",
    "이전에는 정상이었는데, 지금은 loss가 NaN입니다.",
  ]
) {
  Deno.test(`what is not over is a claim: "${text}"`, async () => {
    assert(claimsOf(await readPost(`Hi, GRPO, a question?\n\n${text}\n`)).includes("3 loss.not_finite"));
  });
}

Deno.test("settledIn() is true of sentences of the past before one that is well now, or behind a head that says so", () => {
  const settled = (...sentences: string[]) =>
    settledIn(sentences.map((sentence) => ({ sentence, isQuestion: sentence.endsWith("?") })));
  assert.deepEqual(settled("It was 0", "It is 0", "Now it works"), [true, false, false]);
  assert.deepEqual(settled("Solved", "It was 0", "It is 0"), [false, true, false]);
  assert.deepEqual(settled("It was 0", "Does it work now?"), [false, false]);
  assert(isWellNow("now there is no NaN and it works") && !isWellNow("now it works and is NaN"));
  assert(isSolved("EDIT: solved") && isSolved("已解决") && !isSolved("not solved") && !isSolved("unsolved"));
  assert(
    isFixed("they fixed the bug", false) && !isFixed("they fixed the bug", true) &&
      !isFixed("not fixed the bug", false),
  );
  assert(isOfNow("now", "") && isOfNow("", "now") && !isOfNow("then", "then"));
  assert(wasWell("it worked before") && !wasWell("it never worked before") && !wasWell("it works"));
});

Deno.test("settledIn() reads long sentences in time that grows with them", () => {
  for (const part of ["now ", "was ", "fixed the ", "之前", "until I "]) {
    const sentence = part.repeat(20_000);
    settledIn([{ sentence, isQuestion: false }]);
    isFixed(sentence, false);
  }
});
