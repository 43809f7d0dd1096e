import assert from "node:assert/strict";
import { cutAtWord } from "../../data/cut_at_word.ts";

Deno.test("cutAtWord() cuts between words, with a sign of it, and leaves what is short", () => {
  assert.equal(cutAtWord("it is 5.6 with a target of 6", 20), "it is 5.6 with a…");
  assert.equal(cutAtWord("it is 5.6 with a target of 6", 17), "it is 5.6 with a…");
  assert.equal(cutAtWord("it is 5.6 with a", 16), "it is 5.6 with a");
});

Deno.test("cutAtWord() cuts a text without spaces between characters, none of them in half", () => {
  assert.equal(cutAtWord("奖励一直停在同一个数值不动", 8), "奖励一直停在同…");
  assert.equal(cutAtWord("a 奖励一直停在同一个数值不动", 10), "a 奖励一直停在同…");
  assert.equal(cutAtWord("🙂🙂🙂🙂", 6), "🙂🙂…");
});
