/** What rules say has a Chinese sentence; what has none is told apart. */
import assert from "node:assert/strict";
import { inChinese } from "../../../../workflows/doctor_page/language/translated.ts";

const said = (text: string) => inChinese(text).map(({ text, lang }) => lang === "en" ? `[${text}]` : text).join("");

const CASES: readonly [english: string, chinese: string][] = [
  ['line 3 says "reward is 0", and no number tells why', "第 3 行写道“reward is 0”，而没有数字说明原因"],
  [
    "Pasted text:12: a sentence of prose that says nothing known (5 times)",
    "Pasted text:12：一句没有已知内容的话（5 次）",
  ],
  ["loss, reward, grad_norm are finite", "loss, reward, grad_norm 都是有限值"],
  [
    "Training collapses; it shows since train step 12 (the last 45 % of the train steps). No rollout taught anything. Change: beta=0.04.",
    "训练崩溃；自训练步 12起（占最后 45 %）。没有一批采样教会任何东西。改：beta=0.04。",
  ],
  [
    "run the same train step twice from one checkpoint and compare the numbers: it is irreproducible_step if the two differ",
    "从同一检查点把同一训练步跑两遍，比较数值：若两次不同，就是 irreproducible_step",
  ],
  [
    "The reward falls (the reward is 0 or one penalty, the KL is 0)",
    "奖励下降（奖励为 0 或一直是同一个惩罚值，KL 为 0）",
  ],
  ["The reward falls (something new)", "奖励下降（[something new]）"],
  ["Something new of 3 kinds. The loss is NaN.", "[Something new of 3 kinds.]损失是 NaN。"],
  ["A new fault; it shows from the first record on", "[A new fault]；从第一条记录起就是这样"],
  ["grad_norm", "grad_norm"],
  [
    "start again with smaller steps, for 50 train steps: it is learning_rate_too_high if the break does not come again",
    "用更小的步长重新开始，训练 50 步：若崩坏不再出现，就是 learning_rate_too_high",
  ],
  ["Start again with --beta 0.04, lr=1.0e-6.", "用 --beta 0.04, lr=1.0e-6 重新开始。"],
  ["The learning rate is 0 on all 12 records", "学习率在全部 12 条记录上为 0"],
  [
    "grad_norm is 0 throughout (as told): an untrained policy begins so, and a broken one",
    "grad_norm 始终（据原文所述）为 0：未训练的策略开始时如此，坏掉的也如此",
  ],
];

for (const [english, chinese] of CASES) {
  Deno.test(`inChinese() of "${english.slice(0, 60)}"`, () => assert.equal(said(english), chinese));
}

Deno.test("inChinese() keeps what it does not know as it is, however long, at once", () => {
  for (const part of ["a: b if c; ", "a goes from 1 to 2, ", ": : ", "x; ", "line 3 says ", "1 2 3 4 ", "a, "]) {
    const text = part.repeat(60_000 / part.length);
    assert.equal(inChinese(text).map((piece) => piece.text).join(""), text);
    assert.ok(inChinese(part.repeat(600 / part.length)).length > 0);
  }
});
