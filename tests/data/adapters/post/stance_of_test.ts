import assert from "node:assert/strict";
import { clausesOf } from "../../../../data/adapters/post/clauses.ts";
import {
  aroundOf,
  hasNone,
  holdsDenial,
  isDenied,
  isOver,
  isUnstated,
} from "../../../../data/adapters/post/stance_of.ts";

import { claimsOf, readPost } from "./read_post.ts";

/** What stands in brackets is denied, or is not. */
const denied = (marked: string) => {
  const at = marked.indexOf("["), end = marked.indexOf("]") - 1;
  return isDenied(marked.replace(/[[\]]/g, ""), at, end);
};

for (
  const text of [
    "The texts are not [garbled]",
    "None of the completions is [empty]",
    "the [loops] are gone",
    "没有出现[乱码]",
    "[乱码]现象没有出现",
    "[文字化け]していません",
    "[NaN]は一つもありません",
    "[반복]은 없습니다",
    "[떨어]지지 않았습니다",
    "er [hängt] nicht",
    "Die Entropie [kollabiert] nicht",
  ]
) {
  Deno.test(`isDenied() is true of "${text}"`, () => assert(denied(text)));
}

for (
  const text of [
    "The texts are [garbled]",
    "not long, [garbled]",
    "The first one is not short and then all are [garbled]",
    "It does not write words only [garbage]",
    "模型没学到东西全[乱码]",
    "不知道为什么[乱码]",
    "无论输入什么都[重复]",
    "[ループ]して止まらない",
    "[同じ]答えしか出ません",
    "[반복]만 합니다",
  ]
) {
  Deno.test(`isDenied() is false of "${text}"`, () => assert(!denied(text)));
}

Deno.test("isUnstated() is true of guesses, conditions, definitions, advice and open questions, and of nothing else", () => {
  const unstated = (text: string, sentence = text, isQuestion = false) => isUnstated(text, sentence, isQuestion);
  for (
    const text of [
      "If your reward is 0",
      "Memorisation means that it recites",
      "to prevent reward hacking",
      "温度为 0 的话",
      "不正解なら報酬は 0",
      "falls der Reward 0 ist",
      "если награда 0",
    ]
  ) assert(unstated(text), text);
  for (const text of ["The reward is 0", "loss 会是 0", "损失为 0", "as if it never trained"]) {
    assert(!unstated(text), text);
  }
  assert(unstated("loss 会是 0", "如果全被屏蔽,loss 会是 0"));
  assert(unstated("还是没写完", "是不会，还是没写完", true) && !unstated("还是没写完"));
  assert(unstated("Does the model loop", undefined, true) && !unstated("Is the loss 0 because of it", undefined, true));
});

Deno.test("hasNone() is true of no share, or next to none, of texts", () => {
  assert(hasNone("repeats are 0.0 %", "repeats") && hasNone("被截断的不到 0.5%", "truncated"));
  assert(hasNone("only 2% are cut", "truncated") && !hasNone("only 82% are cut", "truncated"));
  assert(!hasNone("the reward is 0 %", "zero"));
});

Deno.test("aroundOf() is what stands between commas, holdsDenial() true of words that deny", () => {
  assert.equal(aroundOf("one, two three, four", 5, 8), " two three");
  assert.equal(aroundOf("one", 0, 3), "one");
  assert(holdsDenial("does not rise") && !holdsDenial("flat"));
});

Deno.test("isOver() is true of what was so before, where the sentence says that it is so no longer", () => {
  for (
    const sentence of [
      "The outputs were garbled until I reinstalled it, now they are clean",
      "输出之前是乱码，重装之后正常了",
      "Раньше зависало, теперь нет",
    ]
  ) {
    assert(isOver(sentence.split(/[,，]/)[0]!, sentence), sentence);
  }
  const still = "Before the update it hung, now it hangs as well";
  assert(!isOver("Before the update it hung", still) && !isOver("it hangs", "it hangs, now it is fine"));
});

/** The clauses of a text that state nothing. */
const unstated = (text: string) =>
  clausesOf([{ text, number: 1, ended: true }]).filter((one) => isUnstated(one.text, one.sentence, one.isQuestion))
    .map(({ text }) => text.trim());

for (
  const text of [
    "Is it the parser, or are the answers cut off?",
    "是模型不会做、我的打分写错了，还是没写完就被截了？",
    "C'est le parser, ou les réponses sont coupées ?",
    "Ist es der Parser, oder werden die Antworten abgeschnitten?",
    "Это парсер, или ответы обрезаны?",
  ]
) Deno.test(`a question between causes claims none of them: "${text}"`, () => assert(unstated(text).length > 1));

Deno.test("what stands before a question between causes is said, and what is asked to be normal is", async () => {
  const before = "The reward is zero from the first step on, is it the parser or are the answers cut off?";
  assert(!unstated(before).some((part) => part.startsWith("The reward")));
  for (
    const [text, said] of [
      ["GRPO: is it normal that the loss is always zero, or did I break something?", "1 loss.zero"],
      ["GRPO. Is it expected that the reward stays at zero or is it a bug?", "1 reward.zero"],
      ["GRPO 训练，loss 一直是 0，这是正常的，还是我哪里写错了？", "1 loss.zero"],
    ] as const
  ) assert(claimsOf(await readPost(text)).includes(said), text);
});

Deno.test("a question of many parts is read in time that grows with its length", () => {
  const text = `是${"、a".repeat(250)}？`;
  assert.equal(isUnstated(text, text, true), false);
});
