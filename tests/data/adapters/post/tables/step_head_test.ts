import assert from "node:assert/strict";
import { isEpochHead, isStepHead, stepOfCell } from "../../../../../data/adapters/post/tables/step_head.ts";

for (
  const cell of [
    "step",
    "Step",
    "global step",
    "train_step",
    "步数",
    "训练步数",
    "迭代次数",
    "étape",
    "Mise à jour",
    "Schritt",
    "Optimierungsschritt",
    "iteración",
    "Iteração",
    "шаг",
    "итерация",
    "ステップ",
    "学習ステップ",
    "스텝",
    "학습 스텝",
    "iteration #",
    "# steps",
    "opt step",
    "checkpoint",
    "ckpt",
  ]
) {
  Deno.test(`isStepHead() takes ${cell}`, () => assert(isStepHead(cell)));
}
for (const cell of ["steps per second", "epoch", "reward", "", "stepwise", "checkpoint size", "samples", "tokens"]) {
  Deno.test(`isStepHead() refuses "${cell}"`, () => assert(!isStepHead(cell)));
}
for (const cell of ["epoch", "Ep.", "轮次", "Epoche", "época", "エポック", "에폭", "эпоха"]) {
  Deno.test(`isEpochHead() takes ${cell}`, () => assert(isEpochHead(cell)));
}

for (
  const [cell, want] of [
    ["200", 200],
    ["~1,500", 1500],
    ["100k", 100_000],
    ["300+", 301],
    ["1-50", 50],
    ["ckpt-200", 200],
    ["checkpoint-1000", 1000],
    ["global_step_30", 30],
    ["step_200 (best)", 200],
    ["第50步", 50],
    ["after 100 steps", 100],
    ["nach 2000 Schritten", 2000],
    ["шаг 100", 100],
    ["base", 0],
    ["初始", 0],
    ["Qwen2.5-7B", null],
    ["7B", 7],
    ["lora-r8", null],
    ["", null],
  ] as const
) {
  Deno.test(`stepOfCell() takes "${cell}" for ${want}`, () => assert.equal(stepOfCell(cell), want));
}
