import assert from "node:assert/strict";
import { namesTraining } from "../../../../../data/adapters/post/text/names_training.ts";

for (
  const text of [
    "I fine-tune it on one GPU",
    "the learning rate is low",
    "the KL explodes",
    "my loss is NaN",
    "the format reward stays 0",
    "a 7B base",
    "pass@1 on the test set",
    "die Testgenauigkeit",
    "на валидации 0,41",
    "验证集上 0.5",
    "训练一百步",
    "モデルの出力",
    "모델이 이상합니다",
    "mon modèle n'apprend rien",
    "мы обучаем модель",
    "mi modelo no aprende",
    "Das Modell lernt nichts",
    "gradnorm was always 0",
    "Batchsize 256",
    "eight H100",
  ]
) {
  Deno.test(`namesTraining() is true of "${text}"`, () => assert(namesTraining(text)));
}

for (
  const text of [
    "My father lost his reward, and the loss was constant.",
    "She gave the same answer every day.",
    "Step 1: mix flour and butter.",
    "The king was not clever",
    "",
  ]
) {
  Deno.test(`namesTraining() is false of "${text}"`, () => assert(!namesTraining(text)));
}
