/**
 * Numbers of a reward that say how it is given, not what came: "returns 1.0 for correct and 0 for wrong", "reward max 1.0,
 * min 0.0". @module
 */
import type { Mention } from "../mentions.ts";
import type { ClauseNumber } from "../numbers/numbers.ts";
import type { SubjectName } from "../words/subjects.ts";

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
const N = "[-+]?\\d[\\d.,]*\\s*(?:points?|Punkte?|puntos?|pontos?|балл\\p{L}*|очк\\p{L}*|分|点|점)?";
/** Where only what they get tells the cases apart, a wrong answer gets nothing and a right one something. */
const BARE_WRONG =
  "(?<!\\p{L})(?:wrong|incorrect|faux|fausses?|falsch|incorrect[ao]|err[ao]d[ao]|неправильн|неверн)\\p{L}*";
const NOTHING = "(?:-\\d[\\d.,]*|0(?:[.,]0)?(?![.,]?\\d))";
const BARE_RIGHT = "(?<!\\p{L})(?:right|correct|just|richtig|korrekt|cert|acert|правильн|верн)\\p{L}*";
const GIVES_ZH = "(?:了|的|时|的话|就|则|答案|情况|都|只|给|得|为|是|记|算|奖励|:|：){0,5}";
const ELSE_ZH = "错误|[答做]错|错|否则|不对|不正确|不一致|不匹配|不符合|其他|其它|其余|反之|不然|未[答做]?对";
const GIVES_JA = "(?:の場合|の時|のとき|なら(?:ば)?|だと|には|は|で|に|を|、|:|：){0,3}";
const ELSE_JA = "不正解|それ以外|そうでなければ|そうでない場合|他|間違い|間違え(?:ば|たら)|誤答";
const ELSE_KO = "오답|틀리면|틀릴 경우|아니면|아닐 경우|그렇지 않으면|그 외|그외|나머지";
/** What is given else, alone: "…, otherwise 0", "Sonst 0 Punkte". */
const ELSE = new RegExp(
  `^\\s*(?:(?:and |or |e |et |y |o |und |и )?(?:otherwise|or else|else|sinon|sonst|ansonsten|andernfalls|si no|de lo contrario|en caso contrario|en otro caso|senão|caso contrário|иначе|в противном случае)[, ]+(?:it(?:'s| is| gets) |c'est |gibt es |es |é |а? ?)?|(?:${ELSE_ZH})${GIVES_ZH}\\s*|(?:${ELSE_JA})${GIVES_JA}\\s*|(?:${ELSE_KO})(?:는|은|에는)?\\s*)(?:${N}|zero|nothing|rien|nichts|null|nada|cero|ноль|ничего)\\s*(?:です|だ|点|점|이다|입니다|を与える|points?)?\\s*$`,
  "iu",
);
/** Both cases with their numbers, in either order and on either side. */
const SCHEME = new RegExp(
  [
    `${N}\\s*${IF}\\s[^\\d.;]{0,24}?${RIGHT}[^.;]{0,40}?${N}\\s*(?:${IF}\\s[^\\d.;]{0,24}?)?${WRONG}`,
    `${N}\\s*${IF}\\s[^\\d.;]{0,24}?${WRONG}[^.;]{0,40}?${N}\\s*(?:${IF}\\s[^\\d.;]{0,24}?)?${RIGHT}`,
    `${N}\\s*${IF}\\s[^\\d.;]{0,24}?${RIGHT}[^\\d.;]{0,24}?${WRONG}[^\\d.;]{0,16}?${N}`,
    `${IF}\\s[^\\d.;]{0,24}?${RIGHT}[^\\d.;]{0,24}?${N}[^.;]{0,12}?${WRONG}[^\\d.;]{0,24}?${N}`,
    `${BARE_WRONG}[^\\d.;]{0,30}${NOTHING}[^.;]{0,20}?${BARE_RIGHT}[^\\d.;]{0,30}[1-9]`,
    `(?:正确|[答做]对|对|一致|匹配|符合)${GIVES_ZH}\\s*${N}[^。；]{0,12}(?:${ELSE_ZH})${GIVES_ZH}\\s*${N}`,
    `正解${GIVES_JA}\\s*${N}[^。；]{0,16}(?:${ELSE_JA})${GIVES_JA}\\s*${N}`,
    `(?:정답|맞으면|맞히면)\\S{0,3}\\s*${N}[^。；]{0,16}(?:${ELSE_KO})\\S{0,3}\\s*${N}`,
  ].join("|"),
  "iu",
);
/** A statistic of single samples, right before its number. */
const STATISTIC =
  /(?<!\b(?:reach\S*|hits?|gets?|got|to|its|new|an?|at|the)\s)(?<!\p{L})(?:max(?:es|imum|imal|ed)?(?: out)?|min(?:imum|imal)?|std(?:dev)?|s\.?d\.|standard deviation|variance|capped|最大(?:值|値)?|最小(?:值|値)?|满分|標準偏差|标准差|方差|最高分|최대|최소|표준편차|écart[- ]type|Standardabweichung|desviación estándar|desvio padrão)\s*(?:of|is|at|was|[=:：为是は])?\s*$/iu;

/** True of a sentence that says what is given for a right answer and what for a wrong one. */
export const isScheme = (sentence: string): boolean => SCHEME.test(sentence);

/** True of a clause that says no more than what is given else; the metric was named before it. */
export const isElseCase = (text: string): boolean => ELSE.test(text);

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
