/** The metric that a head of a table or a phrase names, as `nameInfo` knows it; one of held-out rows apart from that of training. @module */
import { nameInfo } from "../../intake/name_info.ts";
import { mentionsIn } from "../mentions.ts";
import type { SubjectName } from "../words/subjects.ts";

/** Words that say how a number was made, and no other metric. */
const HOW =
  /\((?:[^)]*)\)|（[^）]*）|(?<![\p{L}])(?:mean|avg\.?|average|ema|smoothed|per token|final|total|policy|moyenne?|mittlere[rs]?|medi[ao]|média|médio|средн\p{L}*)(?![\p{L}])|(?<![\p{L}])(?:des|de las|das|der|of(?: the)?|ответ\p{L}*) (?:compl[eé]tions?|r[eé]ponses?|respuestas?|respostas?|Antworten|salidas?|saídas?|responses?|answers?)(?![\p{L}])|(?:vs\.?|to|from|against) (?:the )?(?:ref(?:erence)?|base|init\w*)\.?(?: model| policy)?|均值|平均|每\s?token|평균|[↑↓%％]|±.*$/giu;
/** What is short for a word. */
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/\bresp\.?(?=\s)/gi, "response"],
  [/\blen\.?$/gi, "length"],
  [/\bent\.?$/gi, "entropy"],
  [/\brew\.?$/gi, "reward"],
  [/\bacc\.?$/gi, "accuracy"],
  [/\bkl[ _]loss\b/gi, "kl"],
];
const LINKS =
  "(?:(?:(?<![\\p{L}])(?:on|of|for|set|split|data|sur|en|de|du|des|le|la|les|auf|im|dem|der|den|sobre|del|el|no|na|do|da|em|на)(?![\\p{L}])|集|上|の|で|의)\\s*)*";
const wordsOf = (words: string, signs: string) =>
  new RegExp(
    `[([（]?\\s*${LINKS}(?:(?<![\\p{L}])(?:${words})(?![\\p{L}])|${signs})[\\s_/]*${LINKS}\\s*[)\\]）]?`,
    "iu",
  );
/** Rows that nothing is learned from. */
const HELD_OUT = wordsOf(
  "eval(?:uation)?|va|ev|val(?:id\\w*)?|test|dev|held[- _]?out|unseen|Validierungs?|évaluation|evaluaci[oó]n|validaci[oó]n|prueba|avaliaç[aã]o|valida[cç][aã]o|teste|валидаци\\p{L}*|валидационн\\p{L}*|тест\\p{L}*|отложенн\\p{L}*",
  "Validierungs(?=\\p{L})|(?:验证|测试|评测|评估|留出)集?|検証|評価|テスト|검증|평가|테스트",
);
const TRAIN = wordsOf(
  "tr|train(?:ing|set)?|Trainings?|entraînement|apprentissage|entrenamiento|treino|treinamento|обучени\\p{L}*|обучающ\\p{L}*|трейн\\p{L}*",
  "Trainings(?=\\p{L})|训练集?|学習|訓練|학습|훈련",
);
/** Sets of tasks that a score is of by their name alone. */
export const BENCHMARK_NAMES =
  "HumanEval\\+?|MBPP\\+?|GSM-?8K|MATH(?:-?500)?|AIME[- ]?'?(?:20)?\\d\\d|AMC[- ]?\\d\\d|MMLU(?:-Pro)?|HellaSwag|ARC(?:-[CE])?|BBH|IFEval|MT-?Bench|AlpacaEval(?: ?2)?|Arena-?Hard|GPQA|LiveCodeBench|LCB|SWE-?bench|CMMLU|C-?Eval|TruthfulQA|OlympiadBench|Minerva|Countdown";
const BENCHMARK = new RegExp(
  `^(${BENCHMARK_NAMES})(?:\\s+(?:acc(?:uracy|\\.)?|score|pass@1|avg@\\d+|mean@\\d+))?\\s*(?:\\([%\\w@ -]*\\)|%)?$`,
  "i",
);
const NAME = 0.4; // Of the letters of a head, those of the metric's name.
const SCORES: ReadonlySet<SubjectName | null> = new Set<SubjectName | null>([
  "accuracy",
  "accuracy_reward",
  "evaluation",
  "preference_accuracy",
]);

/** Null where it names none, or several. */
export function metricName(cell: string): string | null {
  const text = cell.trim();
  if (text === "" || text.length > 80) return null;
  const info = nameInfo(text);
  // A share of right answers that is held out is called by its whole name: "val acc" of pairs is another one.
  if (info.mapped && !info.isStep && !(info.isEval && /\bacc$/i.test(text))) return text;
  const benchmark = BENCHMARK.exec(text)?.[1];
  if (benchmark !== undefined) return scoreOf(benchmark);
  const plain = plainOf(text);
  return setApart(plain) ?? named(plain) ?? named(text);
}

/** A score of held-out tasks, told apart from others by their name. */
export const scoreOf = (tasks: string): string =>
  `eval/${tasks.trim().toLowerCase().replace(/[^\p{L}\d@+]+/gu, "_")}/accuracy`;

/** The head without what sets no metric apart: an example behind a comma, short words, underscores. */
function plainOf(text: string): string {
  const before = text.split(/[,;，；]\s/)[0]!, head = before.length >= 3 ? before : text;
  const spaced = /^\w+$/.test(head) ? head.replaceAll("_", " ") : head;
  return SHORT.reduce((all, [short, whole]) => all.replace(short, whole), spaced).trim();
}

/** The metric of a head that says whether its rows are those that are trained on. */
function setApart(text: string): string | null {
  for (const [words, isHeldOut] of [[HELD_OUT, true], [TRAIN, false]] as const) {
    const found = words.exec(text);
    if (found === null) continue;
    const rest = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`
      .replace(/^[\s/_-]+|[\s/_-]+$/g, "");
    const name = rest === "" ? null : nameInfo(rest).mapped && !nameInfo(rest).isStep ? rest : named(rest);
    if (name === null || !isHeldOut) return name;
    const { column, isEval } = nameInfo(name);
    if (isEval) return name;
    const isScore = mentionsIn(rest).some(({ subject }) => SCORES.has(subject)) || /accuracy$/i.test(column);
    return isScore ? "eval_accuracy" : `eval_${column}`;
  }
  return null;
}

/** What the words of a head name, if they name one metric and hardly anything else. */
function named(text: string): string | null {
  const bare = text.replace(HOW, " ").trim();
  for (const one of [bare, text]) {
    if (one === "") continue;
    const info = nameInfo(one);
    if (one !== text && info.mapped && !info.isStep) return one;
    const mentions = mentionsIn(one);
    const names = new Set(mentions.flatMap(({ name }) => name ?? []));
    const letters = mentions.reduce((sum, { at, end }) => sum + end - at, 0);
    if (names.size === 1 && letters >= NAME * one.length) return [...names][0]!;
  }
  return null;
}
