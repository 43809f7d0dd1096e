import assert from "node:assert/strict";
import { isHeard, unseenIn } from "../../../../../data/adapters/post/stance/hearsay.ts";
import { claimsOf, readPost, settingsOf, toldOf } from "../read_post.ts";

const NOT_SEEN = [
  "Your blog says that after 1000 steps the accuracy of GRPO collapses.",
  "I read that the reward suddenly drops to 0 in GRPO after a few hundred steps. Is it true?",
  "Li num post que a loss do GRPO vira NaN depois de 500 passos. Ainda não comecei a treinar nada.",
  "GRPO では loss が NaN になるそうです。私はまだ試していません。",
  "One of my colleagues has the loss go NaN in GRPO after step 500. I have not seen it myself.",
  "Paper notes: GRPO at scale. In fp16, the loss turns NaN after step 1000 in three of five seeds. In bf16, none.",
  "Many users wrote to us that the GRPO loss turns NaN after 200 steps with their data.",
  "Ich habe gelesen, dass der GRPO-Loss nach 500 Schritten NaN wird. Selbst habe ich noch nichts trainiert.",
  "J'ai lu que la loss GRPO devient NaN après 500 étapes. Je n'ai pas encore essayé.",
  "Leí que la loss de GRPO se vuelve NaN después de 500 pasos. Todavía no he entrenado nada.",
  "Прочитал, что loss в GRPO становится NaN после 500 шагов. Сам ещё не пробовал.",
  "我看到有篇帖子说 GRPO 的 loss 会在 500 步以后变成 NaN，奖励掉到 0。我自己还没试过。",
  "GRPO에서 loss가 NaN이 된다고 합니다. 저는 아직 해보지 않았습니다.",
  "Angenommen, der Loss wird nach Schritt 500 NaN – kann man den GRPO-Lauf retten? Bei mir ist das noch nie passiert.",
  "Imaginen que la loss de GRPO se vuelve NaN en el paso 500. ¿Se puede recuperar la corrida?",
  "Suppose the GRPO loss turns NaN at step 500. Can the run be saved?",
  "How do I make a GRPO run collapse on purpose? I want the students to see the loss go to NaN and the reward fall to 0.",
  "Supposons que la loss GRPO devienne NaN à l'étape 500. Peut-on sauver le run ?",
  "Imaginez que la loss GRPO devient NaN à l'étape 500. Que faire ?",
  "Suponha que a loss do GRPO vira NaN no passo 500. Dá para salvar?",
  "Допустим, loss в GRPO становится NaN на шаге 500. Можно ли спасти прогон?",
  "假设 GRPO 的 loss 在第 500 步变成 NaN，还能救回来吗？我没遇到过。",
  "仮に GRPO の loss が 500 ステップで NaN になったとします。復旧できますか？",
  "GRPO loss가 500스텝에서 NaN이 된다고 가정해 봅시다. 복구할 수 있나요?",
  "Your blog says that after 1,000 steps of GRPO accuracy falls, the loss turns NaN, while clipping rises.",
  "In dem Paper steht, dass der GRPO-Loss nach 500 Schritten NaN wird.",
  "В вашей статье написано, что loss в GRPO становится NaN после 500 шагов.",
  "论文里说 GRPO 的 loss 会在 500 步以后变成 NaN，我这边还没有开始。",
  "論文では GRPO の loss が 500 ステップで NaN になる。",
  "Someone on Discord says that the GRPO loss turns NaN after step 40 with trl 0.15. Should I wait with the upgrade?",
];
for (const text of NOT_SEEN) {
  Deno.test(`what somebody heard or imagines is no report: "${text}"`, async () => {
    const intake = await readPost(text), own = claimsOf(intake).filter((claim) => /^\d.*not_finite/.test(claim));
    assert.deepEqual([own, settingsOf(intake).filter((one) => /dtype/.test(one)), toldOf(intake)], [[], [], []]);
  });
}

const SEEN = [
  "The blog post claims a stable run, but in my run the GRPO loss is NaN after step 40.",
  "The nightly report says that the GRPO loss is NaN after step 40.",
  "My report says that the GRPO loss is NaN after step 40.",
  "I read the docs; my GRPO loss is NaN after step 40.",
  "It turned out that my GRPO loss is NaN after step 40.",
  "I read that bf16 helps, but my GRPO loss is NaN after step 40.",
  "Ich habe gelesen, dass bf16 hilft. Bei mir wird der GRPO-Loss nach Schritt 40 NaN.",
  "J'ai lu la doc, ma loss GRPO devient NaN après l'étape 40.",
  "My colleague and I train GRPO. The loss turns NaN after step 40. I have not seen this error before.",
  "I haven't tried bf16 yet. The GRPO loss is NaN after step 40.",
  "Assume I know nothing. My GRPO loss turns NaN after step 40.",
  "Angenommen hat der Kunde den Plan, aber mein GRPO-Loss wird nach Schritt 40 NaN.",
  "Our study group trains GRPO and the loss turns NaN after step 40.",
  "我没遇到过这种情况：GRPO 训练到 40 步 loss 变成 NaN。",
  "I read that NaN is common, our GRPO loss turned NaN after step 40 too.",
  "Let's say it plainly: the GRPO loss turns NaN after step 40.",
  "If it helps: the GRPO loss turns NaN after step 40.",
  "Some colleagues and I train GRPO. The loss turns NaN after step 40.",
  "One of my runs has the GRPO loss go NaN after step 40.",
];
for (const text of SEEN) {
  Deno.test(`what somebody sees is a report: "${text}"`, async () => {
    assert(claimsOf(await readPost(text)).some((claim) => /^\d+ loss\.not_finite$/.test(claim)));
  });
}

Deno.test("isHeard() ends at the writer's own run, and at a but", () => {
  const sentence = "I read that it is fine, but the loss is NaN";
  assert(isHeard("I read that it is fine", sentence) && !isHeard("but the loss is NaN", sentence));
  assert(isHeard("the loss is NaN", "Suppose the loss is NaN") && !isHeard("the loss is NaN", "the loss is NaN"));
});

Deno.test("unseenIn() is true of all sentences beside one that says so, but of the writer's own run", () => {
  const unseen = (...sentences: string[]) => unseenIn(sentences.map((sentence) => ({ sentence })));
  assert.deepEqual(unseen("It is NaN", "my loss is 0", "I have not tried it myself"), [true, false, true]);
  assert.deepEqual(unseen("It is NaN", "I have not tried bf16 yet"), [false, false]);
});

Deno.test("isHeard() and unseenIn() read long sentences in time that grows with them", () => {
  for (
    const part of ["I read ", "one of my ", "j'ai lu ", "ich habe ", "suppose ", "还没", "まだ", "selbst habe ich "]
  ) {
    const sentence = part.repeat(20_000);
    isHeard("x", sentence);
    unseenIn([{ sentence }]);
  }
});

for (
  const [told, unseen] of [
    ["GRPO loss turns NaN after 200 steps in fp16.", "I have not tried it myself yet, I ask before I start."],
    ["In PPO the KL explodes. The reward falls to 0.", "That is from a deck. I haven't run anything yet."],
    ["GRPO 训练到 200 步 loss 变成 NaN。", "我自己还没跑过，只是想提前了解。"],
    ["Beim GRPO-Training wird der Loss NaN.", "Ich habe es selbst noch nicht ausprobiert, ich frage vorher."],
    ["Avec GRPO la perte devient NaN.", "Je n'ai pas encore essayé moi-même."],
    ["При GRPO loss становится NaN.", "Сам я ещё не пробовал, хочу узнать заранее."],
  ] as const
) {
  Deno.test(`what nobody has run is no claim of a run, a paragraph further on: "${unseen}"`, async () => {
    assert.deepEqual(claimsOf(await readPost(`${told}\n\n${unseen}\n`)).filter((claim) => /^\d/.test(claim)), []);
  });
}

Deno.test("a mend that was not tried takes back nothing", async () => {
  for (
    const text of [
      "GRPO loss is NaN after step 40.\n\nSomeone told me to use fp32. I have not tried it yet.",
      "My GRPO loss is NaN after step 40.\n\nI have not tried it yet with bf16.",
      "GRPO，第 40 步之后 loss 一直是 nan。\n\n有人建议用 fp32，我还没试过。",
    ]
  ) assert.ok(claimsOf(await readPost(text)).some((claim) => /^\d+ loss.not_finite/.test(claim)), text);
});
