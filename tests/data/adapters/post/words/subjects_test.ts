/** Each subject in English, Chinese and one language more, and a word near by that is another. */
import assert from "node:assert/strict";
import { wordTable } from "../../../../../data/adapters/post/words/match.ts";
import { SUBJECTS } from "../../../../../data/adapters/post/words/subjects.ts";
import type { SubjectName } from "../../../../../data/adapters/post/words/subjects.ts";

const subjectsIn = wordTable<SubjectName>(SUBJECTS);

const CASES: Readonly<Partial<Record<SubjectName, readonly string[]>>> = {
  eval_loss: ["the validation loss", "验证集的损失", "la perte de validation", "검증 손실"],
  evaluation: ["held-out accuracy", "测试集准确率", "検証スコア", "pass@1"],
  value_loss: ["the critic loss", "value loss"],
  policy_loss: ["the policy loss", "pg_loss"],
  loss_scale: ["the loss scale", "损失缩放"],
  loss: ["the training loss", "损失", "la perte", "Verlust", "функция потерь", "損失", "손실"],
  group_reward_std: ["reward std", "奖励的标准差", "報酬の標準偏差"],
  format_reward: ["format reward", "格式奖励", "フォーマット報酬"],
  accuracy_reward: ["accuracy reward", "准确率奖励", "정확도 보상"],
  iou_reward: ["IoU reward", "IoU 奖励"],
  margin: ["reward margin", "奖励差", "マージン"],
  preference_accuracy: ["reward accuracy"],
  reward: ["the mean reward", "奖励", "récompense", "Belohnung", "recompensa", "награда", "報酬", "보상"],
  accuracy: ["accuracy", "准确率", "Genauigkeit", "точность", "正解率"],
  grad_norm: ["gradient norm", "梯度范数", "градиент", "勾配", "그래디언트"],
  kl: ["KL divergence", "KL 散度", "divergence KL"],
  entropy: ["policy entropy", "熵", "энтропия", "エントロピー"],
  clip_fraction: ["clip fraction", "裁剪比例"],
  ratio: ["importance ratio", "重要性采样比"],
  advantage: ["advantages", "优势", "ventajas", "преимущества"],
  learning_rate: ["learning rate", "学习率", "taux d'apprentissage", "скорость обучения"],
  logprobs: ["log probs", "对数概率", "対数確率"],
  completion_length: ["response length", "回复长度", "longueur", "длина", "出力長"],
  completions: ["completions", "回答", "réponses", "Antworten", "ответы", "出力", "응답"],
  adapter: ["LoRA adapter", "适配器", "アダプタ"],
  training: ["training", "训练", "Training", "обучение", "학습"],
  policy: ["my model", "模型", "modèle", "модель", "モデル"],
  parameters: ["the weights", "权重", "Gewichte", "веса", "重み"],
};

for (const [name, texts] of Object.entries(CASES)) {
  Deno.test(`SUBJECTS.${name} is found by its words of many languages, and takes what it spells out`, () => {
    for (const text of texts) {
      const names = subjectsIn(text).map((hit) => hit.name);
      assert.deepEqual(names, [name], text);
    }
  });
}

Deno.test("a longer name goes before the one that it holds, and words within words are none", () => {
  const names = (text: string) => subjectsIn(text).map(({ name }) => name);
  assert.deepEqual(names("the critic loss and the loss"), ["value_loss", "loss"]);
  assert.deepEqual(names("格式奖励和奖励"), ["format_reward", "reward"]);
  assert.deepEqual(names("glossy, klaxon, rewarding"), []);
});
