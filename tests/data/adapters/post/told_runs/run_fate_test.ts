import assert from "node:assert/strict";
import type { ToldValue } from "../../../../../data/adapters/post/said.ts";
import { asks, isChosen, isIll, isWell } from "../../../../../data/adapters/post/told_runs/run_fate.ts";

const part = (text: string) => ({ text, isQuestion: false, isApart: false, claims: [], values: [] });

Deno.test("isIll() and isWell() say how a run ends by its words", () => {
  for (const text of ["it diverges", "the loss goes to NaN", "直接崩了", "er kollabiert"]) {
    assert.ok(isIll(part(text)), text);
  }
  for (const text of ["it works", "the reward 0.2 -> 0.6", "一切正常", "läuft gut"]) {
    assert.ok(isWell(part(text)), text);
  }
  for (const text of ["it never diverges", "we use Adam"]) assert.ok(!isIll(part(text)), text);
  for (const text of ["it does not work", "it collapses"]) assert.ok(!isWell(part(text)), text);
  const tied = { name: "reward_std", values: [0, 0] } as unknown as ToldValue;
  assert.ok(
    isIll({ ...part("seed 3"), values: [tied] }) &&
      !isIll({ ...part("seed 3"), values: [{ ...tied, values: [0, 0.1] }] }),
  );
  assert.ok(!isIll({ ...part("it diverges"), isApart: true }));
  assert.ok(!isIll({ ...part("does it diverge? NaN"), isQuestion: true }));
});

Deno.test("asks() and isChosen() read what a post wants and what it took", () => {
  for (const text of ["Why does it fail", "any idea?", "请问是什么原因", "Woran liegt das"]) {
    assert.ok(asks(text), text);
  }
  for (const text of ["we keep 1e-5", "our final run", "最终采用 1e-6", "nehmen wir"]) assert.ok(isChosen(text), text);
  assert.ok(!asks("the loss is NaN") && !isChosen("the loss is NaN"));
});
