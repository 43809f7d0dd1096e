import assert from "node:assert/strict";
import { isOfNumbers } from "../../../../../data/adapters/post/numbers/same_numbers.ts";
import { claimsOf, readPost } from "../read_post.ts";

const alike = async (text: string) =>
  claimsOf(await readPost(`Hi, GRPO, a question?\n\n${text}\n`)).filter((claim) =>
    /(?:completions|policy|training)\.(?:identical|same_everywhere|repeats)/.test(claim)
  );

for (
  const text of [
    "GRPO with 100 samples. Same output numbers on every step.",
    "All prompts, all steps look the same in the log.",
    "For every example batch the log prints the same numbers.",
    "Bei allen Prompts immer die gleichen Zahlen.",
    "Pour chaque prompt les mêmes chiffres.",
    "Para todos los prompts los mismos números.",
    "Para todos os prompts os mesmos números.",
    "Для всех промптов одни и те же числа.",
    "所有样本每一步的数字都一样。",
    "どのプロンプトでも同じ数値です。",
    "모든 입력에서 같은 숫자입니다.",
    "We repeat each run three times. The results repeat exactly.",
    "Die Ergebnisse wiederholen sich exakt.",
  ]
) Deno.test(`the same numbers are no same completions: "${text}"`, async () => assert.deepEqual(await alike(text), []));

for (
  const text of [
    "Every prompt gets the same answer.",
    "The same answer and the same numbers for all prompts.",
    "所有问题的回答都一样。",
    "The outputs repeat one phrase over and over.",
    "Alle Fragen bekommen dieselbe Antwort.",
  ]
) Deno.test(`the same texts are: "${text}"`, async () => assert((await alike(text)).length > 0));

Deno.test("isOfNumbers() reads in time that grows with the text", () => {
  assert(isOfNumbers("same numbers") && !isOfNumbers("same answer"));
  for (const part of ["same ", "steps all ", "Zahlen "]) isOfNumbers(part.repeat(20_000));
});
