/**
 * Sentences that may say that something is wrong, in words that nobody here understands: with them a run that is told in
 * words alone is not called healthy. @module
 */
import { BENCHMARK_NAMES } from "../tables/metric_name.ts";
import { numbersIn } from "../numbers/numbers.ts";

const AGAINST =
  /(?<![\p{L}])(?:but|however|problems?|trouble|broken|hate|worse|what happened|what went|weird|strange|unfortunately|wrong|correction|stuck|aber|jedoch|leider|problème|mais|malheureusement|pero|mas|но|однако|проблем\p{L}*)(?![\p{L}])|但是|然而|不过|可是|奇怪|怎么回事|更正|しかし|ですが|おかし|訂正|하지만|그런데|이상하|정정/iu;

/** What a run gives: what it writes, what that earns, who judges it. */
const OUTCOME = new RegExp(
  "(?<![\\p{L}])(?:" + [
    "(?:the|this|my|our|final|tuned|merged|trained) (?:model|policy) \\p{Ll}\\p{L}*|answers?|responses?|outputs?|completions?|generations?|rewards?|checkers?|judges?|graders?|eval\\p{L}*|benchmarks?|scores?|accurac\\p{L}+|users?|people|humans?|annotators?|raters?|quality|lengths?|perplexity|hallucinat\\p{L}*|guess\\p{L}*",
    "(?:das|unser|dieses|mein) Modell \\p{Ll}\\p{L}*|Antwort\\p{L}*|Ausgabe\\p{L}*|Belohnung\\p{L}*|Prüfer\\p{L}*|Nutzer\\p{L}*|Bewertung\\p{L}*",
    "(?:le|ce|notre|mon) modèle \\p{Ll}\\p{L}*|réponses?|sorties?|récompenses?|évaluation\\p{L}*|utilisateurs?",
    "(?:el|este|nuestro|mi|o|nosso|meu) modelo \\p{Ll}\\p{L}*|respuestas?|respostas?|salidas?|saídas?|recompensas?|usuari\\p{L}+|usuári\\p{L}+|evaluaci\\p{L}+|avaliaç\\p{L}+",
    "модель \\p{Ll}\\p{L}*|ответ\\p{L}*|наград\\p{L}*|пользовател\\p{L}*|оценк\\p{L}*",
  ].join("|") +
    ")(?![\\p{L}])|模型(?:直接|只|就|开始|学会|输出|会|在|总|都|不|没|却|把|已)|回答|回复|输出|生成|奖励|评测|人工|用户|质量|长度|胜率|モデル[はがも]|出力|報酬|評価|ユーザ|모델[은이]|답변|출력|보상|평가|사용자",
  "iu",
);
/** What somebody does with a run, and says nothing of it. */
const DOES =
  /(?<![\p{L}])(?:I|we)(?:'ve|'ll|'m|'re| have| will| then| now| also| just| am| are| would| want| plan| like| to| going| currently)* (?:train|us|run|ran|export|upload|merg|releas|publish|push|plan|want|start|set|took|take|install|download|thank|appreciat|wonder|add|log|sav|convert|follow|share|post|attach|compar)\p{L}*(?![\p{L}])|(?<![\p{L}])(?:thanks|thank you|danke|merci|gracias|obrigad[oa]|спасибо)(?![\p{L}])|谢谢|感谢|打算|计划|ありがとう|감사/iu;

const NOT_FINITE = /(?<![\p{L}])(?:nan|inf|infinity)(?![\p{L}])/iu;
/** A test by its name, and words that set what is now against what was. */
const COMPARES = new RegExp(
  `(?<![\\p{L}\\d])(?:${BENCHMARK_NAMES})(?![\\p{L}])|` +
    "(?<![\\p{L}])(?:" +
    [
      "before|after(?:wards)?|now|later|then|since|back (?:to|at)|below|above|actually|really|resum\\p{L}*|restart\\p{L}*|base|baseline|edit|update",
      "vorher|nachher|danach|jetzt|später|seitdem|vor|nach|avant|après|ensuite|maintenant|depuis|antes|después|luego|ahora|desde|depois|agora|до|после|потом|теперь|было|стало",
    ].join("|") +
    ")(?![\\p{L}])|之前|之后|后来|现在|如今|训练前|训练后|基座|その後|現在|今は|前は|後は|이후|지금|이전",
  "iu",
);

/** True of a sentence that sets something against what went before, or calls it a problem. */
export const doubts = (sentence: string): boolean => AGAINST.test(sentence);

/** True of a sentence that speaks of what a run gives, where nothing in it is known. */
export const tellsOutcome = (sentence: string): boolean => OUTCOME.test(sentence) && !DOES.test(sentence);

/** True of a sentence that tells a result with a number in it, by the words for one. */
export const comparesNumbers = (sentence: string): boolean =>
  OUTCOME.test(sentence) || COMPARES.test(sentence) || NOT_FINITE.test(sentence);

/** The most that there is: "(max is 1)", "out of 10", 满分 10. */
const SCALE =
  /(?:(?<!\p{L})(?:max(?:imum|\.)?(?: (?:is|of|reward|score|possible))*|maximal|out of|on a scale (?:of|from)|de un máximo de|sur un maximum de|von maximal|из максимум\p{L}*)|满分(?:是|为)?|最高(?:分)?(?:是|为)?|最大(?:是|为|で)?|満点は?|만점은?)\s*[=:：]?\s*$/iu;

const isSame = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));

/** True of a sentence with a value, or NaN, that is none of those which were read in it. */
export function hasUnread(sentence: string, read: readonly number[]): boolean {
  if (NOT_FINITE.test(sentence) && !read.some((value) => !Number.isFinite(value))) return true;
  return numbersIn(sentence).some(({ kind, value, at }) =>
    kind === "value" && !SCALE.test(sentence.slice(Math.max(0, at - 30), at)) &&
    !read.some((one) => isSame(one, value) || isSame(one, 100 * value) || isSame(100 * one, value))
  );
}
