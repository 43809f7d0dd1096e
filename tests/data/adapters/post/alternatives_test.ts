import assert from "node:assert/strict";
import { isAlternative } from "../../../../data/adapters/post/alternatives.ts";
import { clausesOf } from "../../../../data/adapters/post/clauses.ts";
import { claimsOf, readPost } from "./read_post.ts";

const asked = (text: string) =>
  clausesOf([{ text, number: 1, ended: true }]).filter(isAlternative).map(({ text }) => text.trim());

for (
  const text of [
    "Is it the parser, or are the answers cut off?",
    "是模型不会做、我的打分写错了，还是没写完就被截了？",
    "C'est le parser, ou les réponses sont coupées ?",
    "Ist es der Parser, oder werden die Antworten abgeschnitten?",
    "Это парсер, или ответы обрезаны?",
  ]
) Deno.test(`all of "${text}" is asked`, () => assert(asked(text).length > 1, JSON.stringify(asked(text))));

Deno.test("what stands before the question is said", () => {
  const text = "The reward is zero from the first step on, is it the parser or are the answers cut off?";
  assert(!asked(text).some((part) => part.startsWith("The reward")));
});

Deno.test("a question that asks why states what it asks about", () => {
  assert.deepEqual(asked("Why is the reward always zero?"), []);
  assert.deepEqual(asked("The loss or the reward is zero."), []);
});

Deno.test("a post that asks between causes claims none of them", async () => {
  const text = "# GRPO\n\nMy reward stays at zero for the whole run. Is it the parser, or are the answers cut off?";
  assert.deepEqual(claimsOf(await readPost(text)), ["3 reward.constant", "3 reward.zero"]);
});
