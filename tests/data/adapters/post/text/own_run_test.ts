import assert from "node:assert/strict";
import { isOfOwnRun } from "../../../../../data/adapters/post/text/own_run.ts";

for (
  const text of [
    "my GRPO loss",
    "our reward",
    "I get NaN",
    "mein GRPO-Loss",
    "bei mir",
    "ma loss",
    "mi corrida",
    "meu treino",
    "у меня NaN",
    "мой loss",
    "我的 loss 是 NaN",
    "私の環境",
    "제 학습",
  ]
) Deno.test(`isOfOwnRun() is true of "${text}"`, () => assert(isOfOwnRun(text)));
for (const text of ["my boss", "the loss", "you get NaN", "I explain why", "we fixed a bug", "mon blog", "мой блог"]) {
  Deno.test(`isOfOwnRun() is false of "${text}"`, () => assert(!isOfOwnRun(text)));
}

Deno.test("isOfOwnRun() reads long texts in time that grows with them", () => {
  for (const part of ["my ", "I ", "мой a ", "我"]) isOfOwnRun(part.repeat(20_000));
});
