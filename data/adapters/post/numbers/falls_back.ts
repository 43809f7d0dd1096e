/** What rose and fell again, in numbers: "climbs from 0.2 to 0.6 by step 300, then drops to 0.1". @module */
import { mentionsIn } from "../mentions.ts";
import { isAnyRun } from "./number_claims.ts";
import { type ClauseNumber, numbersIn } from "./numbers.ts";
import type { Claim, ToldValue } from "../said.ts";
import type { PredicateName } from "../words/predicates.ts";
import type { SubjectName } from "../words/subjects.ts";

/** Between the best and what is left. */
const FALLS = new RegExp(
  "(?:(?<![\\p{L}])(?:" + [
    "drop(?:s|ped)?|falls?|fell|sinks?|sank|goes|went|declined?s?|decreased?s?|collapsed?s?|crashe[sd]|plummet(?:s|ed)?|return(?:s|ed)?|revert(?:s|ed)?|slid(?:es?)?",
    "fällt|fiel|sinkt|sank|stürzt|bricht|rutscht|geht",
    "re(?:tomb|descend)\\p{L}*|chut\\p{L}+|descend\\p{L}*|tomb\\p{L}+|baiss\\p{L}+",
    "cae|cayó|baja|bajó|desciende|cai|caiu|desce|desceu|despenca",
    "пада\\p{L}+|упа\\p{L}+|снижа\\p{L}+|снизил\\p{L}*|опуска\\p{L}+",
  ].join("|") +
    ")(?![\\p{L}])[^.;]{0,24}?(?<![\\p{L}])(?:to|auf|à|a|para|hasta|até|до)|(?:掉|降|跌|回落|下降)(?:回|到|至|为)+)\\s*(?:only |about |around |nur |etwa |约)?$",
  "iu",
);
/** Behind what is left, in languages whose verb stands at the end. */
const FELL = /^\s?(?:まで|に)\s?(?:落ち|下が|低下|急落|戻)|^\s?(?:로|으로|까지)\s?(?:떨어|하락|내려|줄)/u;
/** A best of which only the number itself is told. */
const ROSE =
    /(?<![\p{L}])(?:climb\p{L}*|r[io]se[sn]?|rising|goes up|went up|reach\p{L}*|stieg\p{L}*|steig\p{L}*|erreich\p{L}*|mont\p{L}+|sub(?:e|ió)|sob(?:e|iu)|раст[её]т|вырос\p{L}*|поднима\p{L}*|peak\p{L}*|tops|topped|max(?:imum|es|ed)?|high of|culmin\p{L}*|pics?|plafonn\p{L}*|Höchst\p{L}*|Höhepunkt|Spitze\p{L}*|máximo|pico|alcanz\p{L}*|lleg\p{L}*|ating\p{L}*|пик\p{L}*|максимум\p{L}*|достиг\p{L}*)(?![\p{L}])|涨|升|上が|올라|올랐|오르|峰值|最高|ピーク|최고|정점/iu,
  RIGHT_BEHIND = 8; // Characters in which a verb may stand behind the number.
/** Share of the best at which it is lost, and from which on it is a dip. */
const LOST = 0.5, DIP = 0.8;
const GOODS: ReadonlySet<SubjectName | null> = new Set<SubjectName | null>([
  "reward",
  "accuracy",
  "accuracy_reward",
  "iou_reward",
  "evaluation",
]);

interface FallenBack {
  readonly subject: SubjectName;
  /** Null of a dip, which says nothing. */
  readonly predicate: "collapses" | "falls" | null;
  readonly value: number;
  /** The best that it had. */
  readonly top: number;
}

/** What a sentence says to have risen and fallen; null where it says nothing like that. */
export function fallsBack(sentence: string): FallenBack | null {
  const values = numbersIn(sentence).filter(({ kind }) => kind === "value");
  const at = values.findIndex((one, i) => i > 0 && isFall(sentence, values[i - 2], values[i - 1]!, one));
  if (at < 0) return null;
  const top = values[at - 1]!, left = values[at]!, mentions = mentionsIn(sentence);
  const subject = mentions.findLast((one) => one.at < top.at)?.subject ?? null;
  const isOther = mentions.some((one) => one.name !== null && one.at >= top.end && one.at < left.at);
  if (isOther || !GOODS.has(subject) || subject === null) return null;
  const share = left.value / top.value;
  return {
    subject,
    predicate: share < LOST ? "collapses" : share < DIP ? "falls" : null,
    value: left.value,
    top: top.value,
  };
}

/** Numbers that are told up to the best, with what is left behind it: it was reached after the train steps that are named. */
export function withFall<Value extends Pick<ToldValue, "values" | "relation" | "from" | "to">>(
  told: Value,
  fallen: FallenBack | null,
): Value {
  return fallen === null || told.relation !== "course" || told.values.at(-1) !== fallen.top
    ? told
    : { ...told, values: [...told.values, fallen.value], relation: "series", from: null, to: null };
}

function isFall(text: string, first: ClauseNumber | undefined, top: ClauseNumber, left: ClauseNumber): boolean {
  const rose = first === undefined ? ROSE.test(text.slice(0, top.end + RIGHT_BEHIND)) : top.value > first.value;
  return rose && left.value < top.value && top.value > 0 &&
    (FALLS.test(text.slice(top.end, left.at)) || FELL.test(text.slice(left.end)));
}

const FALLING: ReadonlySet<PredicateName> = new Set<PredicateName>(["falls", "collapses", "worsens"]);
/** Numbers say how far it fell or rose: the word alone says less. */
export const isDip = (claim: Pick<Claim, "subject" | "predicate" | "value">, fallen: FallenBack | null) =>
  claim.predicate === "rises" && isAnyRun(claim.subject, claim.value) ||
  fallen !== null && claim.subject === fallen.subject && FALLING.has(claim.predicate) &&
    !(claim.predicate === fallen.predicate && claim.value === fallen.value);
