import assert from "node:assert/strict";
import { expression, has, wordTable } from "../../../../../data/adapters/post/words/match.ts";

const found = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([word]) => word);

Deno.test("expression() finds words as whole words, in any script, and signs anywhere", () => {
  const pattern = expression("loss|наград\\w*|[\\w-]+ing", "损失");
  assert.deepEqual(found(pattern, "loss, lossy, _loss, loss2, LOSS"), ["loss", "LOSS"]);
  assert.deepEqual(found(pattern, "награда и награды, антинаграда"), ["награда", "награды"]);
  assert.deepEqual(found(pattern, "训练损失很大"), ["损失"]);
  assert.deepEqual(found(pattern, "äö-üing"), ["äö-üing"]);
  assert.deepEqual(found(expression("perte"), "perté, perte"), ["perte"], "an accent of its own is a letter's");
});

Deno.test("expression() finds words without spaces around them in Chinese and Japanese", () => {
  assert.deepEqual(found(expression("format reward"), "这里format reward一直是0，format rewards"), ["format reward"]);
  assert.deepEqual(found(expression("loss"), "lossが0、glossが1"), ["loss"]);
});

Deno.test("wordTable() gives each place once, the earlier entry first, in the order of the text", () => {
  const table = wordTable({ long: { words: "grad norm" }, short: { words: "norm|grad", signs: "范数|grad" } });
  assert.deepEqual(table("norm of grad norm"), [{ name: "short", at: 0, end: 4 }, { name: "long", at: 8, end: 17 }]);
  assert.deepEqual(table("梯度范数"), [{ name: "short", at: 2, end: 4 }]);
  assert.deepEqual(table("upgrade grad1"), [], "a sign is none within a Latin word");
  assert.deepEqual(table(""), []);
});

Deno.test("has() says the same of a text however often it is asked", () => {
  const loss = expression("loss");
  assert.deepEqual([has(loss, "the loss"), has(loss, "the loss"), has(loss, "glossy")], [true, true, false]);
});
