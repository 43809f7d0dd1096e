import assert from "node:assert/strict";
import { isStepHead, metricName } from "../../../../data/adapters/post/metric_name.ts";

for (
  const cell of [
    "step",
    "Step",
    "global step",
    "train_step",
    "步数",
    "训练步数",
    "étape",
    "Schritt",
    "шаг",
    "ステップ",
    "스텝",
    "iteration #",
  ]
) {
  Deno.test(`isStepHead() takes ${cell}`, () => assert(isStepHead(cell)));
}
for (const cell of ["steps per second", "epoch", "reward", "", "stepwise"]) {
  Deno.test(`isStepHead() refuses "${cell}"`, () => assert(!isStepHead(cell)));
}

for (
  const [cell, want] of [
    ["reward", "reward"],
    ["mean reward", "mean reward"],
    ["奖励均值", "reward"],
    ["récompense (moyenne)", "reward"],
    ["KL", "KL"],
    ["actor/entropy", "actor/entropy"],
    ["награда", "reward"],
    ["reward and loss", null],
    ["what the model said of the reward in the end", null],
    ["notes", null],
    ["", null],
    ["__proto__", null],
    ["x".repeat(81), null],
  ] as const
) {
  Deno.test(`metricName() takes "${cell.slice(0, 40)}" for ${want}`, () => assert.equal(metricName(cell), want));
}
