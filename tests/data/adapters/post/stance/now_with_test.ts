import assert from "node:assert/strict";
import { presentOf, wasSet } from "../../../../../data/adapters/post/stance/now_with.ts";

for (
  const text of [
    "With learning rate 0.5 it exploded, now with 1e-6 the reward rises",
    "Mit Lernrate 0,5 explodiert es, jetzt mit 1e-6 steigt sie",
    "Avec 0,5 ça explosait, maintenant avec 1e-6 elle monte",
    "Con 0,5 explotó, ahora con 1e-6 sube",
    "Com 0,5 explodiu, agora com 1e-6 sobe",
    "С 0,5 всё взорвалось, теперь с 1e-6 растёт",
    "学习率 0.5 时炸了，现在用 1e-6",
    "学習率0.5では発散したが、今は1e-6で上がる",
    "학습률 0.5에서는 폭발했는데 지금은 1e-6으로 오른다",
  ]
) Deno.test(`presentOf() finds what is set now in "${text}"`, () => assert.equal(presentOf(text)?.raw, "1e-6"));

for (const text of ["The learning rate is 1e-6 now", "With 1e-6 it rises, now I see 0.3", "Now with 1e-6 it rises"]) {
  Deno.test(`presentOf() finds nothing in "${text}"`, () => assert.equal(presentOf(text), null));
}

Deno.test("wasSet() is true of what was set once", () => {
  for (
    const text of [
      "At first the lr was 1e-3",
      "Anfangs war die Lernrate 0,5",
      "一开始学习率是 0.5",
      "Before I had lr 0.5",
    ]
  ) {
    assert(wasSet(text), text);
  }
  for (const text of ["The lr is 1e-3", "I set lr 1e-3 before training", "学习率是 0.5"]) assert(!wasSet(text), text);
});
