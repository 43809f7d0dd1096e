import assert from "node:assert/strict";
import {
  isFixed,
  isOfNow,
  isPast,
  isSolved,
  isSolvedTitle,
  isWellNow,
  settledIn,
  wasWell,
  wellFrom,
} from "../../../../../data/adapters/post/stance/settled.ts";
import { claimsOf, readPost, settingsOf, toldOf } from "../read_post.ts";

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

const NO_LONGER = [
  "**Solved**: GRPO loss was NaN from step 1\n\nIt turned out that my pad token was missing and the completions were empty. After filtering these rows it trains perfectly: the reward rises from 0.2 to 0.7.",
  "Problème résolu, merci à tous ! La loss GRPO devenait NaN après l'étape 120 parce que j'étais en fp16. En bf16 tout va bien : la récompense monte de 0,2 à 0,6.",
  "해결했습니다. 처음에는 GRPO 100스텝 이후 loss가 NaN이 됐는데 fp16 때문이었습니다. 지금은 bf16으로 잘 됩니다.",
  "Ich hatte letzte Woche das Problem, dass der Loss in GRPO nach Schritt 100 NaN wurde. Ursache war ein defekter RAM-Riegel. Seit dem Tausch läuft alles.",
  "之前 GRPO 训练到 40 步 loss 就变成 NaN，后来发现是 fp16 的问题，换成 bf16 以后一切正常。",
  "У меня раньше после 100 шагов loss в GRPO становился NaN, теперь всё работает.",
  "With fp16 the GRPO loss turned NaN after step 40, so I moved to bf16 and it's fine.",
  "First time the GRPO loss turned NaN after step 40 with fp16. Second run, no problems.",
  "My first attempt had the GRPO loss go NaN, because of a broken driver. How do I set the batch size?",
  "Problema resuelto, gracias. La loss de GRPO se volvía NaN tras el paso 120 porque usaba fp16. Con bf16 todo va bien.",
  "Resolvido! A loss do GRPO virava NaN depois do passo 120 porque eu usava fp16. Com bf16 está tudo bem.",
  "解決しました。最初は GRPO の loss が 100 ステップ後に NaN になっていましたが、fp16 が原因でした。bf16 にしたら正常です。",
  "Avec fp16 la loss GRPO devenait NaN après l'étape 40, alors je suis passé à bf16 et tout va bien.",
  "Mit fp16 wurde der GRPO-Loss nach Schritt 40 NaN, also bin ich auf bf16 gewechselt und es läuft gut.",
  "EDIT: it works now. The GRPO loss turned NaN after step 40 because of fp16=True.",
  "The GRPO loss turned NaN after step 40 with fp16. EDIT: solved, bf16 works.",
  "GRPO loss NaN after step 40 [SOLVED]\n\nThe loss turned NaN after step 40. It was fp16=True. Using bf16 fixed it.",
  "【已解决】GRPO 第 40 步 loss 变成 NaN\n\n原因是 fp16，换成 bf16 就好了。",
  "[Gelöst] GRPO-Loss wird nach Schritt 40 NaN\n\nEs lag an fp16. Mit bf16 läuft es.",
  "Just wanted to say thanks: the GRPO loss turned NaN after step 40, lowering the learning rate to 1e-6 fixed it.",
  "La semana pasada la loss de GRPO se volvía NaN tras el paso 40; con bf16 ya funciona.",
  "先週は GRPO の loss が 40 ステップで NaN になりましたが、bf16 に変えたら正常になりました。",
  "지난주에는 GRPO loss가 40스텝 이후 NaN이 됐는데 bf16으로 바꾸니 정상입니다.",
  "На прошлой неделе loss в GRPO становился NaN после шага 40, после перехода на bf16 всё нормально.",
  "Semana passada a loss do GRPO virava NaN depois do passo 40, agora com bf16 está tudo bem.",
];
for (const text of NO_LONGER) {
  Deno.test(`of a run that is over neither claims nor options count: "${text}"`, async () => {
    const intake = await readPost(text), own = claimsOf(intake).filter((claim) => /^\d.*not_finite/.test(claim));
    assert.deepEqual([own, settingsOf(intake).filter((one) => /fp16/.test(one))], [[], []]);
  });
}

const GOES_ON = [
  "GRPO: Before the update it worked, now the loss is NaN after step 40.",
  "I switched to bf16 and the GRPO loss still turns NaN after step 40.",
  "With fp16 the GRPO loss turned NaN after step 40, so I moved to bf16 and it is NaN again.",
  "First run: the GRPO loss turned NaN after step 40. Second run: NaN again.",
  "之前 loss 正常，升级以后第 40 步 GRPO 的 loss 变成 NaN。",
  "Thought it was solved. The GRPO loss turns NaN after step 40.",
  "Not solved! The GRPO loss was NaN from step 1.",
  "Problème non résolu : la loss GRPO devient NaN après l'étape 120.",
  "I fixed the pad token. Now the reward is fine but the GRPO loss turns NaN after step 40.",
  "GRPO loss NaN after step 40 [not solved]\n\nThe loss turned NaN after step 40.",
  "First time poster. The GRPO loss turned NaN after step 40. Second question: is the reward fine?",
  "一开始 loss 正常，第 40 步 GRPO 的 loss 变成 NaN，换成 bf16 以后还是 NaN。",
  "First the reward rose, then the GRPO loss turned NaN after step 40. Now I use bf16, is that fine?",
  "GRPO loss turned NaN after step 40. SFT works fine after removing the adapter.",
  "The GRPO loss turned NaN after step 40, and my dataset is good. Now I need help.",
  "At first the reward rises and the KL is stable now, then the GRPO loss turns NaN after step 40.",
  "Die GRPO-Belohnung war gut, dann wurde der Loss nach Schritt 40 NaN. Jetzt bin ich ratlos.",
];
for (const text of GOES_ON) {
  Deno.test(`of a run that goes on they count: "${text}"`, async () => {
    assert(claimsOf(await readPost(text)).some((claim) => /^\d+ loss\.not_finite$/.test(claim)));
  });
}

Deno.test("wellFrom() is where a sentence begins to be well, isSolvedTitle() knows a mark, isPast() no now", () => {
  assert.equal(wellFrom("it was 0, now it works"), 10);
  assert.deepEqual([wellFrom("now it works"), wellFrom("it was fine, now it is NaN")], [-1, -1]);
  assert(isSolvedTitle("loss NaN [SOLVED]") && !isSolvedTitle("loss NaN [not solved]"));
  assert(isPast("it was 0") && !isPast("it was 0, now 1") && !isPast("it is 0"));
  for (const part of ["a a ", "was ing ", "ing ", "so I ", "换成"]) wellFrom(part.repeat(5000));
});
