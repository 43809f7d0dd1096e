import assert from "node:assert/strict";
import { turnOf } from "../../../../data/adapters/post/turns.ts";

for (
  const [line, speaker, rest] of [
    ["**Author:** it is zero", "author", " it is zero"],
    ["楼主：没有变化", "author", "没有变化"],
    ["OP: more of it", "author", "more of it"],
    ["**Reply 2:** try a lower rate", "other", " try a lower rate"],
    ["Maintainer: please update", "other", "please update"],
    ["答主：试试", "other", "试试"],
    ["【网友】：我也是", "other", "我也是"],
    ["somebody commented on 3 May", "other", ""],
    ["jane-doe opened this issue on May 1", "author", ""],
    ["@jane_doe replied 2 days ago", "other", ""],
  ] as const
) {
  Deno.test(`turnOf() gives the word to the ${speaker} at "${line}"`, () => {
    assert.deepEqual(turnOf(line), { speaker, rest });
  });
}

for (
  const line of ["Question: what is one and one?", "The answer: no", "I wrote a reward", "reply", "", "x".repeat(500)]
) {
  Deno.test(`turnOf() is silent at "${line.slice(0, 30)}"`, () => assert.equal(turnOf(line), null));
}
