import assert from "node:assert/strict";
import { metricName } from "../../../../../data/adapters/post/tables/metric_name.ts";

for (
  const [cell, want] of [
    ["reward", "reward"],
    ["mean reward", "mean reward"],
    ["奖励均值", "reward"],
    ["récompense (moyenne)", "reward"],
    ["KL", "KL"],
    ["actor/entropy", "actor/entropy"],
    ["награда", "reward"],
    ["KL to ref", "KL"],
    ["KL-дивергенция", "kl"],
    ["kl loss", "kl"],
    ["resp. len", "completion_length"],
    ["longueur des complétions", "completion_length"],
    ["truncated %", "truncated"],
    ["reward mean ± std", "reward"],
    // What is held out is told apart from what is trained on, in whatever words.
    ["Loss train, 70 cibles", "Loss"],
    ["Loss dev, 140 cibles", "eval_loss"],
    ["loss (held-out)", "eval_loss"],
    ["va_loss", "eval_loss"],
    ["tr_loss", "loss"],
    ["Лосс (val)", "eval_loss"],
    ["Perte dev", "eval_loss"],
    ["Perda de treino", "loss"],
    ["Verlust (Validierung)", "eval_loss"],
    ["Verlust (Training)", "loss"],
    ["训练loss", "loss"],
    ["验证loss", "eval_loss"],
    ["検証ロス", "eval_loss"],
    ["검증 손실", "eval_loss"],
    ["acc (dev)", "eval_accuracy"],
    ["val acc", "eval_accuracy"],
    ["reward (val)", "eval_reward"],
    ["GSM8K", "eval/gsm8k/accuracy"],
    ["AIME 24 (avg@32)", "eval/aime_24/accuracy"],
    ["training time", null],
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
