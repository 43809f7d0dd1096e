import assert from "node:assert/strict";
import { doubts } from "../../../../data/adapters/post/doubts.ts";

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
