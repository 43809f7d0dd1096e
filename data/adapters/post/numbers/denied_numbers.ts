/** Numbers that a clause says a metric does not have: "the reward does not stay at 0", 「不是一直为 0」. @module */
import type { Mention } from "../mentions.ts";
import type { ClauseNumber } from "./numbers.ts";
import { isReached } from "../stance/stance_of.ts";

/** What a metric does not do to be at a number; "never rises above 0" says that it is 0, and holds none of these. */
const STAYS = [
  "(?:n't|not|never|no longer) (?:once |ever )?(?:stay(?:s|ed|ing)?|remain(?:s|ed)?|stuck|always|constantly|become|became|be|been|reach(?:es|ed)?|go(?:es)?(?: down)?|gone|dropp?(?:ed|s)?|fall(?:s|en)?|fell|hit(?:s)?|sit(?:s|ting)?|exactly)",
  "(?:nicht|nie(?:mals)?)(?: mehr| immer| dauerhaft| ständig)*",
  "(?:bleibt|blieb|steht|stand|fällt|fiel|war|ist|hängt|hing) (?:nicht|nie(?:mals)?)(?: mehr| immer| dauerhaft| ständig)*",
  "(?:pas|jamais|plus) (?:toujours )?(?:rest\\p{L}*|été|tomb\\p{L}*|bloqu\\p{L}*|constamment|toujours)",
  "(?:no|nunca|jam[aá]s|ya no|não|n[aã]o) (?:se |siempre |sempre )?(?:qued\\p{L}*|fic\\p{L}*|est[aáeé]\\p{L}*|permanec\\p{L}*|cay\\p{L}*|cai\\p{L}*|lleg\\p{L}*|cheg\\p{L}*|siempre|sempre|fue|foi)",
  "не (?:всегда |постоянно )?(?:оста\\p{L}+|застр\\p{L}+|застрева\\p{L}+|был\\p{L}*|упа\\p{L}+|пада\\p{L}+|всегда|постоянно)",
].join("|");
const BEFORE = new RegExp(
  `(?:(?<![\\p{L}])|(?=n't))(?:${STAYS})(?:\\s(?:at|to|on|bei|auf|à|a|en|em|na|на|в))?\\s*(?:exactly |exakt |genau )?$|` +
    "(?:没有?|不是|并不|并非|从未|不再)(?:是|会|总|全)?(?:一直|总是|始终|全程|都)?(?:是|为|等于|停在|卡在|变成|降到|掉到|保持在|在)?\\s*$",
  "iu",
);
const BEHIND =
  /^\s?(?:のまま|で(?:ずっと)?止まって|に(?:張り付いて|なって))?\s?(?:では|じゃ|とは|は)?\s?(?:な(?:い|く|かった)|ありません|いません|いない)|^\s?(?:인\s?(?:것|건|상태)|에\s?(?:머물|멈춰)[^.]{0,4}지|이|은|는|으?로)?\s?(?:도|은|는|이|가)?\s?(?:아니|아닙|않)/u;

/** Is a number, behind the mention of a metric, one that the metric does not have? */
export function isNumberDenied(text: string, { at, end }: Pick<Mention, "at" | "end">, number: ClauseNumber): boolean {
  return BEFORE.test(text.slice(end, number.at)) || BEHIND.test(text.slice(number.end)) ||
    isReached(text.slice(0, at)) && isReached(text.slice(0, number.at));
}
