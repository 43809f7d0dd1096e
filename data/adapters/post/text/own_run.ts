/** Whether a text speaks of the writer's own run: "my loss", "bei mir", "我的 loss". @module */

/** A run, and what is measured or set of one. */
const OF_RUN =
  "(?:runs?|training|trainings|loss|reward|rewards|KL|entropy|gradients?|grad_norm|model|completions?|logs?|setup|config|experiment|job|problem|issue|GRPO|PPO|DPO|Lauf|Verlust|Belohnung|Modell|perte|récompense|modèle|entraînement|pérdida|recompensa|modelo|entrenamiento|corrida|perda|treino|лосс|награда|модель|запуск|прогон|обучение)";
const OWN = new RegExp(
  [
    `(?<![\\p{L}'])(?:my|our|mein\\p{L}*|unser\\p{L}*|mon|ma|mes|notre|nos|mis?|nuestr\\p{L}+|meus?|minhas?|noss\\p{L}+|мо[йяеёи]\\p{L}*|наш\\p{L}*) (?:[\\p{L}\\d.-]+ ){0,3}?(?:[\\p{L}\\d]+-)?${OF_RUN}(?![\\p{L}])`,
    "(?<![\\p{L}'])(?:I|we) (?:just |still |now |always |only |also )?(?:get|see|got|saw|ran|run|train|trained|tried|use|used|am training|'m training|have been training)(?![\\p{L}])|(?:I'm|we're|I've been) (?:training|running|getting|seeing)",
    "(?<![\\p{L}])(?:for me|bei (?:mir|uns)|chez (?:moi|nous)|à moi|(?:a|en) mi caso|comigo|no meu caso|у (?:меня|нас))(?![\\p{L}])",
    "我(?:们)?的?\\s?(?:训练|模型|实验|跑|在(?:训|跑)|这边|用|loss|reward|GRPO)|(?:私|自分|うち|弊社)の(?:環境|学習|実験|モデル|loss|GRPO)|手元で|(?:제|저희|내|우리)\\s?(?:가|의)?\\s?(?:학습|모델|실험|런|환경|loss|GRPO)",
  ].join("|"),
  "iu",
);
export const isOfOwnRun = (text: string): boolean => OWN.test(text);
