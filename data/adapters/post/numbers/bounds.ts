/**
 * Numbers that bound a metric and are none of its values: "never exceeded 12", "stays below 0.05", 从未超过 12, "≤ 1".
 *
 * A bound counts where what lies beyond it is worse: of "KL above 50" the 50 is the best that can be, of "KL below 50" it
 * says nothing. @module
 */
import type { Mention } from "../mentions.ts";
import type { ClauseNumber } from "./numbers.ts";
import type { SubjectName } from "../words/subjects.ts";

type Bound = "upper" | "lower";

const UPPER =
  "[<≤＜]=?|below|beneath|under|underneath|(?:less|lower|smaller|fewer) than|at most|a maximum of|within|unter(?:halb von)?|höchstens|maximal|(?:weniger|kleiner|niedriger) als|(?:en dessous|au-dessous) de|sous|au plus|au maximum|inférieure?s? à|moins de|(?:por )?debajo de|menos de|inferior(?:es)? a|menor(?:es)? (?:que|a|do que)|como (?:máximo|mucho)|(?:por )?abaixo d[eoa]|no máximo|ниже|меньше|менее|低于|小于|不到|不足|少于|至多|最多";
const LOWER =
  "(?<![-=–—>|])[>≥＞]=?|above|over|(?:more|greater|higher|larger|bigger) than|at least|a minimum of|beyond|past|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|über|oberhalb von|mindestens|(?:mehr|größer|höher) als|überschreitet|au-dessus de|au moins|supérieure?s? à|plus de|(?:dépass|excéd)(?:e|é|er|ait|ent)|(?:por )?encima de|más de|superior(?:es)? a|mayor(?:es)? (?:que|a)|super(?:a|ó|e|ado|an|aron|ar)|al menos|acima d[eoa]|mais de|maior(?:es)? (?:que|do que)|(?:ultrapass|super|exced)(?:a|ou|e|eu)|pelo menos|выше|больше|более|превы[шс]\\p{L}+|高于|大于|超过|超出|多于|至少|超";
/** With a denial a bound: "never reaches 0.5". */
const REACHED =
  "reach(?:es|ed|ing)?|gets? to|got to|hits?|goes? to|(?:erreicht|atteint)e?|(?:alcanz|ating|lleg|cheg)\\p{L}+(?: a)?|pass(?:e|é|a|ou|ó|ado) de|достиг\\p{L}*|达到|到达|到";
const ABOUT =
  "(?:about |around |approximately |roughly |the |a |etwa |ungefähr |environ |cerca de |около |约|大约)*[~≈]?\\s*";
const before = (words: string) =>
  new RegExp(`(?:(?<![\\p{L}\\d])(?:${words})|(?<=[\\p{Script=Han}])(?:${words}))\\s*${ABOUT}$`, "iu");
const [upper, lower, reached] = [before(UPPER), before(LOWER), before(REACHED)];
/** Right behind a number. */
const AFTER: readonly (readonly [pattern: RegExp, bound: Bound])[] = [
  [
    /^\s*(?:以下|未満|未满|以内|之下|(?:を|が|も)?下回|より(?:小さ|低)|이하|미만|보다\s?(?:작|낮)|(?:을|를)?\s?밑돌)/u,
    "upper",
  ],
  [
    /^\s*(?:以上|之上|(?:を|が|も)?(?:超|上回)|より(?:大き|高)|이상|초과|보다\s?(?:크|높)|(?:을|를)?\s?(?:넘|초과|웃돌))/u,
    "lower",
  ],
];
const DENIED_BEFORE =
  /(?:\b(?:never|not|no|cannot|nor|without)\b|n't|\b(?:nie|niemals|nicht|kein\p{L}*|ohne)\b|\b(?:ne|jamais|sans)\b|\bn'|\b(?:nunca|jamás|jamais|não|sin|sem)\b|(?<!\p{L})(?:не|никогда|ни разу)(?!\p{L})|从未|从不|从没|没有?|未曾?|不曾?|并不)(?:(?!(?<!\p{L})(?:and|but|or|und|aber|et|mais|y|pero|e|mas|и|но)(?!\p{L}))[^,;，；。]){0,20}$/iu;
const DENIED_AFTER =
  /^[^,、。]{0,8}?(?:ない|なかった|たことがな|ず(?!つ)|ません|지\s?(?:않|못)|적이?\s?없)|^\s*nicht(?!\p{L})/u;
const SPAN = 48; // Characters before a number in which its bound stands.

const turned: Readonly<Record<Bound, Bound>> = { upper: "lower", lower: "upper" };

/** What a number bounds its metric by; null where it is a value. */
export function boundOf(text: string, { at, end }: Pick<ClauseNumber, "at" | "end">): Bound | null {
  const head = text.slice(Math.max(0, at - SPAN), at), tail = text.slice(end, end + SPAN);
  for (const [pattern, bound] of [[upper, "upper"], [lower, "lower"], [reached, null]] as const) {
    const found = pattern.exec(head);
    if (found === null) continue;
    const isDenied = DENIED_BEFORE.test(head.slice(0, found.index));
    if (bound === null) return isDenied ? "upper" : null;
    return isDenied ? turned[bound] : bound;
  }
  for (const [pattern, bound] of AFTER) {
    const found = pattern.exec(tail);
    if (found !== null) return DENIED_AFTER.test(tail.slice(found[0].length)) ? turned[bound] : bound;
  }
  return null;
}

/** Where more is worse, and where less is: beyond such a bound it is at least as bad as at it. */
const WORSE: Partial<Readonly<Record<SubjectName, Bound>>> = {
  kl: "lower",
  clip_fraction: "lower",
  grad_norm: "lower",
  critic_grad_norm: "lower",
  truncation: "lower",
  zero_spread: "lower",
  loss: "lower",
  eval_loss: "lower",
  entropy: "upper",
  reward: "upper",
  accuracy: "upper",
  accuracy_reward: "upper",
  format_reward: "upper",
  iou_reward: "upper",
  evaluation: "upper",
  group_reward_std: "upper",
};

interface Bounded {
  /** The numbers without the bounds that say nothing of a value. */
  readonly numbers: readonly ClauseNumber[];
  /** Some of them are bounds: no metric holds such a number throughout. */
  readonly isBound: boolean;
}

/** Leaves out the numbers of a clause that are no more than a bound, and of its metric those behind it. */
export function withoutBounds(text: string, mentions: readonly Mention[], numbers: readonly ClauseNumber[]): Bounded {
  let isBound = false, left: Mention | null = null;
  const kept = numbers.filter((number) => {
    if (number.kind !== "value") return true;
    const mention = mentions.findLast(({ end }) => end <= number.at) ?? mentions[0] ?? null;
    if (mention !== null && mention === left) return false;
    const bound = boundOf(text, number);
    if (bound === null) return true;
    // A 0 that bounds says of the sign alone.
    const counts = number.value !== 0 && mention !== null && mention.subject !== null &&
      WORSE[mention.subject] === bound;
    if (counts) isBound = true;
    else left = mention;
    return counts;
  });
  return { numbers: kept, isBound };
}
