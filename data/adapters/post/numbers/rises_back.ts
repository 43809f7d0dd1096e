/**
 * A loss that fell and rose again, in numbers: "starts at 5, goes down to 4, then rises from step 1700 on to 7", "best was
 * 1.05 at epoch 3, by epoch 10 it is 1.4". The parts count in their order, and the last of them most. @module
 */
import { type Mention, mentionsIn } from "../mentions.ts";
import { type ClauseNumber, numbersIn } from "./numbers.ts";
import type { ToldValue } from "../said.ts";
import type { SubjectName } from "../words/subjects.ts";

/** Between the least and what it is afterwards. */
const RISES = new RegExp(
  "(?:(?<![\\p{L}])(?:" + [
    "ris(?:es?|ing)|rose|climb(?:s|ed|ing)?|increas(?:es?|ed|ing)|(?:goes|went|go|going|shoots?|shot|creeps?|crept|drifts?|back) (?:back )?up|gr[eo]ws?|jump(?:s|ed)?|returns?|rebound(?:s|ed)?",
    "steigt|stieg|klettert\\p{L}*|wächst|wuchs|springt|sprang",
    "remont\\p{L}+|mont\\p{L}+|augment\\p{L}+|grimp\\p{L}+|repart\\p{L}*",
    "sub(?:e|ió|ir)|aument[aó]u?|trep[aó]|sob(?:e|iu)|cresce\\p{L}*|crec\\p{L}+",
    "раст[её]т|вырос\\p{L}*|поднима\\p{L}+|подня\\p{L}+|увелич\\p{L}+|повыс\\p{L}+",
  ].join("|") +
    ")(?![\\p{L}])[^.;]{0,40}?(?<![\\p{L}])(?:to|auf|bis|à|jusqu'à|a|para|hasta|até|до)|(?:涨|升|上升|回升|反弹|增加|增大|飙)(?:回|到|至|为)+)\\s*(?:about |around |etwa |约)?[~≈]?$",
  "iu",
);
/** Behind what it is, in languages whose verb stands at the end. */
const ROSE_BEHIND =
  /^\s?(?:まで|に)\s?(?:上が|上昇|増え|増加|悪化|戻)|^\s?(?:로|으로|까지)\s?(?:올라|올랐|상승|증가|치솟)/u;
/** The least of a course, near its number. */
const LEAST =
  /(?<![\p{L}])(?:best|lowest|min(?:imum|imal)?|bottom(?:s|ed)?|tiefst\p{L}*|niedrigst\p{L}*|beste[rs]?|Minimum|minimale?|meilleure?|plus bas(?:se)?|mínim[oa]|mejor|melhor|минимум\p{L}*|лучш\p{L}*)(?![\p{L}])|最低|最小|最佳|最良|최저|최소|최적/iu;
/** Before what it is at the end. */
const LATER =
  /(?<![\p{L}])(?:by|at the end|in the end|now|afterwards|later|final(?:ly)?|ended|ends|am Ende|zuletzt|jetzt|danach|à la fin|ensuite|maintenant|al final|ahora|luego|no fim|no final|agora|depois|в конце|затем|сейчас|потом)(?![\p{L}])|最后|最终|现在|之后|結局|最後|最終|その後|지금|마지막|최종|이후/iu;
/** What may stand before the word that it rises; of more words something else is spoken of: "the scale has gone up to 16384". */
const LINKS =
  /(?<![\p{L}])(?:and|but|then|it|the loss|from|at|by|in|around|about|after|until|before|that|which|steps?|epochs?|iterations?|again|has|und|aber|dann|danach|wieder|ab|bei|Schritte?|Epoche|sie|er|et|puis|mais|ensuite|à partir|du|de|pas|époque|elle|y|luego|después|pero|a partir del?|paso|época|e|depois|mas|passo|и|а|но|затем|потом|снова|после|с|шага?|эпох\p{L}*|on|vers|around|hacia)(?![\p{L}])|\p{L}+(?:ly|ment|mente)(?![\p{L}])/giu;
const OTHERS = 1; // Words besides these.
const SPAN = 40; // Characters between a number and the word of it.
const MOST = 20; // Numbers of a sentence; what has more is a list.
/** Any word of it. */
const RISE =
  /(?<![\p{L}])(?:ris|rose|climb|increas|up(?!\p{L})|gr[eo]w|jump|return|rebound|st(?:eig|ieg)|kletter|w[äu]chs|spr[ia]ng|remont|mont|augment|grimp|repart|sub|aument|trep|sob|cresc|crec|раст|вырос|подн|увелич|повыс)|涨|升|反弹|增|飙|上が|悪化|戻|올라|올랐|상승|증가|치솟/iu;
const RISEN = 1.05; // Times the least.
const LOSSES: ReadonlySet<SubjectName | null> = new Set<SubjectName | null>(["loss", "eval_loss", "policy_loss"]);

interface RisenBack {
  readonly subject: SubjectName;
  /** As `nameInfo` knows it. */
  readonly name: string;
  /** The numbers in their order: the least is the one before the last. */
  readonly values: readonly number[];
  readonly decimals: number;
}

/** What a sentence says to have fallen and risen again; null where it says nothing like that. */
export function risesBack(sentence: string): RisenBack | null {
  if (!/\d\D+\d/.test(sentence)) return null;
  const values = numbersIn(sentence).filter(({ kind }) => kind === "value").slice(0, MOST);
  if (!RISE.test(sentence) && !LEAST.test(sentence)) return null;
  const mentions = mentionsIn(sentence);
  for (let at = 1; at < values.length; at++) {
    const low = values[at - 1]!, last = values[at]!;
    if (!(low.value > 0) || last.value < RISEN * low.value) continue;
    const mention = ownerOf(low, last, mentions), before = values[at - 2];
    if (mention === null || !isRise(sentence, mention, before, low, last)) continue;
    const isOwn = before !== undefined && before.at >= mention.end && before.value > low.value;
    return {
      subject: mention.subject!,
      name: mention.name!,
      values: [...isOwn ? [before.value] : [], low.value, last.value],
      decimals: Math.max(low.decimals, last.decimals),
    };
  }
  return null;
}

/** The loss that both numbers are of; null where another metric stands between them. */
function ownerOf(low: ClauseNumber, last: ClauseNumber, mentions: readonly Mention[]): Mention | null {
  const own = mentions.findLast(({ at, name }) => at < low.at && name !== null) ?? null;
  const isOther = mentions.some(({ at, name, subject }) =>
    name !== null && at >= low.end && at < last.at && subject !== own?.subject
  );
  return own === null || isOther || !LOSSES.has(own.subject) ? null : own;
}

function isRise(
  text: string,
  mention: Mention,
  before: ClauseNumber | undefined,
  low: ClauseNumber,
  last: ClauseNumber,
): boolean {
  const between = text.slice(low.end, last.at),
    isLeast = LEAST.test(text.slice(Math.max(0, Math.min(low.at, mention.at) - SPAN), low.end + 8));
  const hasFallen = before !== undefined && before.at >= mention.end && before.value > low.value || isLeast;
  if (!hasFallen) return false;
  const rises = RISES.exec(between);
  if (rises !== null) {
    const others = between.slice(0, rises.index).replace(LINKS, " ").match(
      /\p{Script=Latin}{2,}|\p{Script=Cyrillic}{2,}/gu,
    );
    return (others?.length ?? 0) <= OTHERS;
  }
  return ROSE_BEHIND.test(text.slice(last.end)) || isLeast && LATER.test(between);
}

/** The values of a clause, with the whole course in the first one in place of its parts. */
export function withRise(
  values: readonly ToldValue[],
  risen: RisenBack | null,
  { isFirst, line, text }: { readonly isFirst: boolean; readonly line: number; readonly text: string },
): ToldValue[] {
  if (risen === null) return [...values];
  const { name, values: course, decimals } = risen,
    others = values.filter((one) => one.name !== name || !one.values.every((value) => course.includes(value)));
  if (!isFirst) return others;
  const relation = course.length > 2 ? "series" : "course", span = { from: null, to: null, throughout: false };
  return [{ printed: name, name, values: course, relation, decimals, line, text, ...span }, ...others];
}
