import assert from "node:assert/strict";
import { clausesOf } from "../../../../data/adapters/post/clauses.ts";

const clauses = (...texts: string[]) =>
  clausesOf(texts.map((text, i) => ({ text, number: 10 + i, ended: true }))).map(({ text, line }) =>
    `${line} ${text.trim()}`
  );

Deno.test("clausesOf() cuts at the ends of sentences and between statements, with the line of each", () => {
  assert.deepEqual(clauses("The loss is 0.5, e.g. at step 1. The reward", "is 0, but the KL rises."), [
    "10 The loss is 0.5",
    "10 e.g. at step 1",
    "10 The reward is 0",
    "11 but the KL rises",
  ]);
  assert.deepEqual(clauses("奖励一直是零，但是损失", "下降。为什么？"), [
    "10 奖励一直是零",
    "10 损失下降",
    "11 为什么",
  ]);
  assert.deepEqual(clauses("La perte est nulle mais la récompense monte"), [
    "10 La perte est nulle",
    "10 mais la récompense monte",
  ]);
});

Deno.test("clausesOf() keeps numbers, versions and values behind a colon whole", () => {
  assert.deepEqual(clauses("It went from 1,234 to 0.5 with v1.2"), ["10 It went from 1,234 to 0.5 with v1.2"]);
  assert.deepEqual(clauses("loss: 0.5"), ["10 loss: 0.5"]);
  assert.deepEqual(clauses("奖励：0.5"), ["10 奖励：0.5"]);
  assert.deepEqual(clauses("问题：奖励为零"), ["10 问题", "10 奖励为零"]);
});

Deno.test("clausesOf() joins lines with a space, but not those of Chinese and Japanese", () => {
  assert.deepEqual(clauses("the reward", "is zero"), ["10 the reward is zero"]);
  assert.deepEqual(clauses("模型的", "回答"), ["10 模型的回答"]);
  assert.deepEqual(clauses("准确率", "57.0%"), ["10 准确率 57.0%"]);
  assert.deepEqual(clauses("보상이", "0이다"), ["10 보상이 0이다"]);
});

Deno.test("clausesOf() knows questions and the first of a sentence", () => {
  const found = clausesOf([{ text: "Is it so, or not? It is. 是吗。", number: 1, ended: true }]);
  assert.deepEqual(found.map(({ isQuestion, isFirst }) => [isQuestion, isFirst]), [
    [true, true],
    [true, false],
    [false, true],
    [true, true],
  ]);
  assert.deepEqual(found.map(({ sentence }) => sentence.trim()), [
    "Is it so, or not",
    "Is it so, or not",
    "It is",
    "是吗",
  ]);
});

Deno.test("clausesOf() gives nothing for nothing, and bounds what has no end", () => {
  assert.deepEqual(clauses("", "  ", "..."), []);
  const [long] = clausesOf([{ text: "word ".repeat(10_000), number: 1, ended: true }]);
  assert(long!.text.length <= 600, "a clause without an end is a text");
});
