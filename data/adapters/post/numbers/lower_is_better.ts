/** Scores that are better the lower they are: error rates, perplexity, refusals. That they fall is no loss. @module */
import type { SubjectName } from "../words/subjects.ts";

const LOWER =
  /(?<![\p{L}])(?:[WCP]ER|MSE|RMSE|MAE|FID|ppl|perplexity|perplexit[éeà]\p{L}*|perplejidad|perplexidade|Perplexit\p{L}+|перплексия|error[- ]?rates?|errors?|Fehler(?:rate|quote)n?|taux d'erreurs?|tasa de (?:error|rechazo)|taxa de (?:erro|recusa)|дол[яи] ошибок|процент ошибок|ошиб(?:ок|ки)|toxicity|toxicité|Toxizität|toxicidad|toxicidade|токсичност\p{L}+|refusals?|refusal rate|hallucinations?|hallucination rate|Ablehnungsquote|taux de refus|false positives?|violations?|edit distance)(?![\p{L}])|错误率|误差率|字错率|词错率|困惑度|毒性|拒答率|拒绝率|幻觉率|誤り率|エラー率|毒性|拒否率|오류율|거절률|혼란도|독성/iu;

const SCORES: ReadonlySet<SubjectName | null> = new Set<SubjectName | null>(["evaluation", "accuracy", "reward"]);
/** A score of its own beside it: "accuracy 0.5, perplexity 8". */
const OWN =
  /acc(?:uracy)?|reward|pass|win|准确率|正确率|奖励|正解率|精度|정확도|보상|Genauigkeit|précision|récompense|exactitud|recompensa|точност|наград/iu;

/** True of a mention that a text names such a score by. */
export const isLowerBetter = (subject: SubjectName | null, said: string, text: string): boolean =>
  SCORES.has(subject) && !OWN.test(said) && LOWER.test(text);
