/**
 * Numbers of a reward that say how it is given, not what came: "returns 1.0 for correct and 0 for wrong", "reward max 1.0,
 * min 0.0". @module
 */
import type { Mention } from "./mentions.ts";
import type { ClauseNumber } from "./numbers.ts";
import type { SubjectName } from "./words/subjects.ts";

const GIVEN: ReadonlySet<SubjectName | null> = new Set<SubjectName | null>([
  "reward",
  "accuracy_reward",
  "format_reward",
  "iou_reward",
  "accuracy",
  "reward_model",
]);
const IF =
  "(?:for|if|when|where|on|to|pour|si|quand|für|wenn|bei|por|para|cuando|quando|se|за|если|при|である|如果|若)";
const RIGHT =
  "(?:correct|right|valid|exact|match|solved|good|juste|bonne|richtig|korrekt|correct[ao]|acert|acier|cert[ao]|правильн|верн)";
const WRONG =
  "(?:wrong|incorrect|invalid|otherwise|else\\b|not\\b|bad|faux|fausse|incorrecte|sinon|falsch|sonst|si no\\b|incorrect[ao]|err[ao]d[ao]|fall|senão|caso contrário|неправильн|неверн|иначе|в противном)";
const N = "[-+]?\\d[\\d.,]*\\s*(?:points?|Punkte?|puntos?|pontos?|балл\\p{L}*|分)?";
/** Both cases with their numbers, in either order and on either side. */
const SCHEME = new RegExp(
  [
    `${N}\\s*${IF}\\s[^\\d.;]{0,24}?${RIGHT}[^.;]{0,40}?${N}\\s*(?:${IF}\\s[^\\d.;]{0,24}?)?${WRONG}`,
    `${N}\\s*${IF}\\s[^\\d.;]{0,24}?${WRONG}[^.;]{0,40}?${N}\\s*(?:${IF}\\s[^\\d.;]{0,24}?)?${RIGHT}`,
    `${IF}\\s[^\\d.;]{0,24}?${RIGHT}[^\\d.;]{0,24}?${N}[^.;]{0,12}?${WRONG}[^\\d.;]{0,24}?${N}`,
    `(?:正确|答对|对)(?:的)?(?:给|得|为|是|则|:|：)?\\s*${N}[^。；]{0,12}(?:错误|答错|错|否则)(?:的)?(?:给|得|为|是|则|:|：)?\\s*${N}`,
    `正解(?:なら|は|で|に)\\s*${N}[^。；]{0,16}(?:不正解|それ以外|間違い)(?:なら|は|で|に)?\\s*${N}`,
    `(?:정답|맞으면)\\S{0,3}\\s*${N}[^。；]{0,16}(?:오답|틀리면|아니면)\\S{0,3}\\s*${N}`,
  ].join("|"),
  "iu",
);
/** A statistic of single samples, right before its number. */
const STATISTIC =
  /(?<!\b(?:reach\S*|hits?|gets?|got|to|its|new|an?|at|the)\s)(?<!\p{L})(?:max(?:es|imum|imal|ed)?(?: out)?|min(?:imum|imal)?|std(?:dev)?|s\.?d\.|standard deviation|variance|capped|最大(?:值|値)?|最小(?:值|値)?|满分|標準偏差|标准差|方差|最高分|최대|최소|표준편차|écart[- ]type|Standardabweichung|desviación estándar|desvio padrão)\s*(?:of|is|at|was|[=:：为是は])?\s*$/iu;

/** True of a sentence that says what is given for a right answer and what for a wrong one. */
export const isScheme = (sentence: string): boolean => SCHEME.test(sentence);

/** The numbers of a clause without those that say how a reward is given. */
export function withoutScheme(
  text: string,
  sentence: string,
  mentions: readonly Mention[],
  numbers: readonly ClauseNumber[],
): readonly ClauseNumber[] {
  if (numbers.length === 0 || !mentions.some(({ subject }) => GIVEN.has(subject))) return numbers;
  const isGiven = isScheme(sentence);
  return numbers.filter((number) => {
    const named = mentions.filter(({ name }) => name !== null);
    const { subject = null } = named.findLast(({ end }) => end <= number.at) ?? named[0] ?? {};
    if (number.kind !== "value" || !GIVEN.has(subject)) return true;
    return !isGiven && !STATISTIC.test(text.slice(Math.max(0, number.at - 32), number.at));
  });
}
