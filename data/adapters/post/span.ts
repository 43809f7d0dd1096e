/** For which train steps a clause speaks: "from step 40 on", "the last 20 steps", "at the end", "throughout". @module */
import type { Clause } from "./clauses.ts";
import { type ClauseNumber, numbersIn } from "./numbers/numbers.ts";
import type { Span } from "./said.ts";
import { expression, has } from "./words/match.ts";
import { THROUGHOUT } from "./words/stance.ts";

const throughout = expression(...THROUGHOUT);

/** Of the end of a run. */
const END =
  /(?<![\p{L}])(?:at the (?:very )?end|towards? the end|in the end|(?:the )?last (?:step|update|iteration|record)|final(?:ly)?|after training|by the end|à la fin|am Ende|al final|no final|в конце)(?![\p{L}])|最后|最终|训练结束|训练后期|到后面|后期|終盤|最終的|마지막|끝에/iu;
/** Of its first record. */
const START =
  /(?<![\p{L}])(?:first (?:logged |printed |recorded |ever )?(?:loss|record|value|rewards?|kl|line|entry|margin)|initial (?:loss|rewards?|kl|margin|value)|premi[eè]re? (?:perte|valeur|ligne)|erste[rn]? (?:Loss|Verlust|Wert|Zeile)|primer[ao]? (?:pérdida|valor|línea)|primeir[ao] (?:perda|valor|linha)|перв(?:ая|ое|ый) (?:потеря|значение|запись|loss))(?![\p{L}])|最初の(?:loss|損失|値|記録)|初始的?(?:loss|损失|奖励|kl)|第一(?:条|行|个)(?:的)?(?:记录|loss|值)|첫\s?(?:loss|손실|값|기록)/iu;
/** From a train step on. */
const SINCE =
  /(?:from|since|after|starting (?:at|from)|dès|depuis|après|ab|seit|nach|desde|después de|после|начиная с|с|从|自)\s*(?:about |around |roughly |the |le |l'|el |o |dem |der |~|≈|大约)*(?:global[ _]|train(?:ing)?[ _])?(?:step|iteration|étape|pas|Schritt|paso|passo|шага?|第)?\s*#?[~≈:]?\s*$/iu;
const SINCE_AFTER =
  /^\s*(?:步|step|steps|ステップ|스텝)?\s*(?:起|开始|之后|以后|后|から|以降|부터|이후|on\b|onwards?)/iu;

/** From then on, where it is said of a count: "after ~15 steps"; not of what is still so after it. */
const PAST =
  /(?:after|nach|après|después de|tras|depois d[eoa]s?|após|после)\s*(?:about |around |roughly |approximately |some |only |just |the |first |den |les |los |las |os |as |ersten |primer[ao]s |primeir[ao]s |первых |etwa |rund |environ |unos |cerca de |примерно |~|≈)*$/iu;
const PAST_AFTER =
  /^\s*(?:多|几|余)?\s*个?\s*(?:global |train(?:ing)? )?(?:steps?|iter(?:ation)?s?|步|轮迭代|ステップ|스텝)\s*(?:之后|以后|后(?![期来])|の?後|以降|in(?![\p{L}])|이후|후|뒤)/iu;
const STILL =
  /(?<![\p{L}])(?:even after|still|remain\w*|stays?|immer noch|bleib\p{L}*|toujours|reste\w*|sigue\w*|todav[ií]a|ainda|continua\w*|всё ещё|все еще)(?![\p{L}])|仍|还是|还在|依然|依旧|まだ|여전히/iu;

/** "Starts dropping at ~300 steps": then, and not for so long. */
const BEGINS =
    /(?<![\p{L}])(?:start(?:s|ed|ing)?|beg[aiu]n(?:s|ning)?|beginnt|begann|fängt|commenc\p{L}+|empiez\p{L}+|empez\p{L}+|comienz\p{L}+|começ\p{L}+|начина\p{L}+|начал\p{L}*)(?![\p{L}])|开始|始め|始ま|시작/iu,
  AT = /(?<![\p{L}])(?:at|around|near|vers|bei|um|en|em|na|на|около)\s*(?:about |around |roughly |~|≈)*$/iu,
  AT_AFTER = /^\s*(?:步|step|steps|ステップ|스텝)?\s*(?:左右|附近|前后|的时候|时|あたり|ごろ|頃|쯤|경|무렵)/iu;

/** "100 premiers pas": behind the number it says the same. */
const FIRST_AFTER = /^\s*(?:first|premi[eè]re?s|primer[ao]s|primeir[ao]s|первых)\s/iu;

/** After what the clause before speaks of. */
const THEN =
  /^\s*(?:(?:and|but|und|aber|et|mais|y|pero|e|mas|и|а|но)\s+)?(?:(?:then|after (?:that|this)|afterwards?|thereafter|dann|danach|anschließend|puis|ensuite|après|luego|después|entonces|depois|em seguida|потом|затем|дальше|после (?:этого|чего))(?!\p{L})|之后|此后|然后|随后|接着|后来|其后|その後|それ以降|以降|그\s?(?:후|뒤|다음)|이후)/iu;

/** True of a sentence that speaks of the whole run. */
export const holdsThroughout = (sentence: string): boolean => has(throughout, sentence);

const earlier = (from: number | null, value: number) => from === null ? value : Math.min(from, value);

/** The train steps that a clause speaks for; its sentence's where it names none itself. `numbers` are those of the clause. */
export function spanOf({ text, sentence }: Clause, numbers: readonly ClauseNumber[]): Span {
  const own = numbers.filter(({ kind }) => kind === "step" || kind === "steps");
  const all = own.length > 0 ? own : numbersIn(sentence).filter(({ kind }) => kind === "step" || kind === "steps");
  const source = own.length > 0 ? text : sentence;
  let from: number | null = null, to: number | null = null, isSince = false, isEnd = END.test(text), isReached = false;
  for (const { kind, value, at, end } of all) {
    const before = source.slice(Math.max(0, at - 16), at);
    const behind = source.slice(end, end + 16);
    const isPast = !STILL.test(source) &&
      (PAST.test(source.slice(Math.max(0, at - 40), at)) || PAST_AFTER.test(source.slice(end)));
    if (kind === "steps" && isPast) {
      from = earlier(from, value);
      isSince = isReached = true;
    } else if (kind === "steps") {
      if (
        /(?:last|final|后|最后|末|最後の?|直近|마지막|derni[eè]re?s?|letzten?|últim[ao]s|последни\p{L}*)\s*$/iu.test(
          before,
        )
      ) isEnd = true;
      else if (
        FIRST_AFTER.test(behind) ||
        /(?:first|前|initial|最初の?|처음|premi[eè]re?s?|ersten?|primer[ao]s|первы\p{L}*)\s*$/iu.test(before)
      ) {
        [from, to] = [1, value];
      } else if (BEGINS.test(text) && (AT.test(before) || AT_AFTER.test(behind))) from = earlier(from, value);
      else to = Math.max(to ?? 0, value);
    } else if (/(?:until|till|up to|before|到|直到|まで|bis|hasta|até|до|jusqu'à)\W*(?:step|第)?\W*$/iu.test(before)) {
      to = value;
    } else {
      from = earlier(from, value);
      isSince ||= SINCE.test(before) || SINCE_AFTER.test(source.slice(end, end + 10));
    }
  }
  // "The first 100 steps are fine, then …": it is said of what follows them.
  if (own.length === 0 && to !== null && THEN.test(text)) [from, to, isSince] = [to, null, true];
  const isFirst = from === null && to === null && START.test(text) && !has(throughout, text);
  const isThroughout = has(throughout, text) || !isFirst && own.length === 0 && has(throughout, sentence);
  if (isFirst) from = to = 1;
  return {
    from,
    to,
    ...(isEnd ? { atEnd: true as const } : {}),
    ...(isReached && !isThroughout ? { reached: true as const } : {}),
    throughout: isSince || isThroughout,
  };
}
