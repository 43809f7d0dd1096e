import assert from "node:assert/strict";
import { clausesOf } from "../../../../../data/adapters/post/clauses.ts";
import {
  aroundOf,
  hasNone,
  holdsDenial,
  isDenied,
  isOver,
  isReached,
  isUnstated,
} from "../../../../../data/adapters/post/stance/stance_of.ts";

import { claimsOf, readPost } from "../read_post.ts";

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
    "Der Loss wird nie [NaN]",
    "I have never once seen the loss turn [NaN]",
    "At no point was the loss [NaN]",
    "it is not the case that the loss is [NaN]",
    "à aucun moment la perte n'est devenue [NaN]",
    "en ningún momento la pérdida fue [NaN]",
    "em nenhum momento a perda virou [NaN]",
    "ни разу лосс не становился [NaN]",
    "lossが[NaN]になったことはありません",
    "loss가 [NaN]이 되는 일은 한 번도 없었고",
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
    "I don't get why the loss is [NaN]",
    "I don't see what makes the loss [NaN]",
    "I have never seen this before and the loss is [NaN]",
    "I never saw the reason the loss is [NaN]",
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

Deno.test("isUnstated() is true of what somebody says not to be the case, and of others' posts", () => {
  for (
    const sentence of [
      "es stimmt nicht, dass der Loss NaN ist",
      "ce n'est pas vrai, que la perte est NaN",
      "no es cierto que la pérdida sea NaN",
      "não é verdade que a perda é NaN",
      "неправда, что лосс NaN",
    ]
  ) assert(isUnstated(sentence.split(", ").at(-1)!, sentence, false), sentence);
  const so = "es stimmt nicht alles, der Loss ist NaN";
  assert(!isUnstated(" der Loss ist NaN", so, false));
  assert(isUnstated("a reward of 0 I only know from other people's posts", "", false));
});

Deno.test("isUnstated() is true of all that stands in an unreal condition, and of nothing behind it", () => {
  for (
    const sentence of [
      "If the loss were NaN and the reward 0, I'd understand, but mine rises",
      "Wenn der Loss NaN wäre, würde ich es verstehen, aber meiner sinkt",
      "Si la perte était NaN, je comprendrais, mais la mienne baisse",
      "Si la pérdida fuera NaN, lo entendería, pero la mía baja",
      "Se a perda fosse NaN, eu entenderia, mas a minha cai",
      "Если бы лосс был NaN, я бы понял, но мой падает",
      "如果 loss 是 NaN, 我还能理解, 但我的在降",
      "もし loss が NaN なら, 分かりますが, 私のは下がります",
      "만약 loss가 NaN이라면, 이해하겠지만, 제 것은 떨어집니다",
    ]
  ) {
    const parts = sentence.split(",");
    assert(isUnstated(parts[0]!, sentence, false) && isUnstated(parts[1]!.slice(0, 4), sentence, false), sentence);
    assert(!isUnstated(parts.at(-1)!, sentence, false), sentence);
  }
  assert(!isUnstated(" the loss is NaN", "If I use vLLM, the loss is NaN", false));
});

Deno.test("isReached() is true behind a denial that reaches over what it counts, in time that grows with the text", () => {
  assert(isReached("at no point was the ") && !isReached("the point is that the "));
  assert(!isReached(`${"never once ever ".repeat(3000)},`));
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

Deno.test("isDenied() knows the opposite of what is named", () => {
  for (
    const [text, word] of [["that is the opposite of a collapse", "collapse"], ["붕괴의 정반대", "붕괴"], [
      "崩溃的反面",
      "崩溃",
    ]] as const
  ) {
    const at = text.indexOf(word);
    assert(isDenied(text, at, at + word.length), text);
  }
  assert(!isDenied("a collapse of the policy", 2, 10));
});

Deno.test("isUnstated() is true of what was feared, and of what is looked for", () => {
  for (
    const text of [
      "Reward hacking was a worry so I looked",
      "we were worried about a collapse",
      "divergence is monitored",
    ]
  ) {
    assert(isUnstated(text, text, false), text);
  }
  assert(!isUnstated("the reward collapses after 300 steps", "the reward collapses after 300 steps", false));
});
