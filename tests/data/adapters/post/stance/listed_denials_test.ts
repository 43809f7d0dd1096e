import assert from "node:assert/strict";
import {
  isHeadingDenied,
  isListDenied,
  isSignDenied,
} from "../../../../../data/adapters/post/stance/listed_denials.ts";
import { claimsOf, readPost } from "../read_post.ts";

const FAULTS = /cheats|not_finite|collapses|repeats|garbled|differs/;
const faults = async (text: string) =>
  claimsOf(await readPost(`Hi, our GRPO report, any thoughts?\n\n${text}\n`)).filter((claim) =>
    /^\d/.test(claim) && FAULTS.test(claim)
  );

for (
  const text of [
    "We did not see any NaN, entropy collapse or reward hacking.",
    "There were no NaN, entropy collapse or reward hacking in any seed.",
    "No signs of NaN, entropy collapse and reward hacking.",
    "Keinerlei Anzeichen von Reward Hacking oder Moduskollaps.",
    "Aucun signe de répétition, de NaN ou d'effondrement.",
    "Sin señales de repetición, NaN o colapso.",
    "Nenhum sinal de reward hacking, NaN ou colapso de entropia.",
    "Никаких признаков взлома награды, NaN или коллапса энтропии.",
    "没有出现重复、乱码或奖励作弊。",
    "没有发现 reward hacking、熵坍塌、训推不一致。",
    "繰り返し、文字化け、報酬ハッキングは見られませんでした。",
    "반복, 깨진 글자, 보상 해킹은 없었습니다.",
    "Reward hacking: no. Entropy collapse: no. NaN: none.",
    "Reward hacking was checked by hand on 200 samples: zero cases.",
    "Wir haben Reward Hacking an 200 Beispielen geprüft: keine Fälle.",
    "Piratage de récompense : non. NaN : aucun.",
    "Hackeo de recompensa: no. NaN: ninguno.",
    "Взлом награды: нет. NaN: нет.",
    "奖励作弊：没有。熵坍塌：无。NaN：无。",
    "報酬ハッキング：なし。NaN：なし。",
    "보상 해킹: 없음. NaN: 없음.",
  ]
) {
  Deno.test(`a denial holds for its list and its heading: "${text}"`, async () =>
    assert.deepEqual(await faults(text), []));
}

for (
  const text of [
    "No improvement, reward collapse or worse.",
    "No signs of learning, reward collapse and NaN.",
    "No NaN, but the reward collapsed at step 120.",
    "No warmup, the loss is NaN or zero.",
    "Reward hacking: yes. Entropy collapse: no.",
    "The loss is NaN, gradient clipping: none.",
    "没有提升、奖励崩溃。",
    "出现了重复、乱码和奖励作弊。",
    "改善なし、報酬ハッキングがありました。",
  ]
) {
  Deno.test(`what is not denied is a claim: "${text}"`, async () => assert.notEqual((await faults(text)).length, 0));
}

Deno.test("isListDenied(), isHeadingDenied() and isSignDenied() read in time that grows with the text", () => {
  assert(isListDenied(" collapse or hacking", "no signs of NaN, collapse or hacking"));
  assert(isHeadingDenied("Reward hacking", "Reward hacking: no"));
  assert(isSignDenied("Keinerlei Anzeichen von ") && !isSignDenied("no signs of learning and "));
  const from = performance.now(), long = "no signs of a, or, ".repeat(20_000);
  isListDenied("or", long), isHeadingDenied("or", long), isSignDenied(long);
  assert(performance.now() - from < 1000);
});
