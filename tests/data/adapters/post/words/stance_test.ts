import assert from "node:assert/strict";
import { DENIAL, ELSEWHERE, NOT_STATED, THROUGHOUT } from "../../../../../data/adapters/post/words/stance.ts";
import { expression } from "../../../../../data/adapters/post/words/match.ts";

const CASES = {
  NOT_STATED: {
    words: NOT_STATED,
    there: [
      "maybe the loss is 0",
      "可能是奖励为零",
      "je pense que la perte est nulle",
      "возможно, лосс равен нулю",
      "もしかして",
      "an entropy bonus keeps the entropy from collapsing",
      "our guard raises when the loss is NaN",
      "we zero the gradients after each step",
      "想让 reward 到 1",
      "아마",
    ],
    absent: ["the loss is 0", "something keeps the reward from rising", "奖励为零", "報酬はずっとゼロ", "мы видим"],
  },
  DENIAL: {
    words: DENIAL,
    there: ["not zero", "没有变化", "никогда не", "nicht null", "no es", "動かない"],
    absent: ["note that it is", "знание", "notable"],
  },
  ELSEWHERE: {
    words: ELSEWHERE,
    there: [
      "without the flag",
      "before, with beta 0",
      "去掉这个参数",
      "ohne LoRA",
      "after I removed it",
      "以前",
      "без vLLM",
      "빼면",
    ],
    absent: ["without success", "without any trend", "with the flag", "加上这个参数"],
  },
  THROUGHOUT: {
    words: THROUGHOUT,
    there: ["from the first step on", "一直", "toujours", "von Anfang an", "siempre", "всегда", "ずっと", "항상"],
    absent: ["at step 12", "第十步", "alwayson"],
  },
} as const;

for (const [name, { words: [words, signs], there, absent }] of Object.entries(CASES)) {
  Deno.test(`${name} stands in clauses of many languages, and not in others`, () => {
    const pattern = expression(words, signs);
    for (const text of there) assert(pattern.test(text), text);
    for (const text of absent) assert(!pattern.test(text), text);
  });
}
