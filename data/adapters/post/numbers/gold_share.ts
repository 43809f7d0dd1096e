/** How often a model agrees with pairs that people labelled: `prefers their favourite in 44 of 400`, `accuracy 11 % on gold pairs`. @module */
import { writtenNumber } from "./numbers.ts";
import type { PredicateName } from "../words/predicates.ts";
import { expression, has } from "../words/match.ts";
import { SUBJECTS } from "../words/subjects.ts";

const GOLD = expression(SUBJECTS.gold.words, SUBJECTS.gold.signs);
const AGREES = expression(
  "prefer(?:s|red)?|agree(?:s|d|ment)?|accura(?:cy|te)|acc|correct(?:ly)?|right|match(?:es|ed)?|rank(?:s|ed)?|favou?rs?|picks?|chooses?|scores?|win(?:s|ning)?|préfère|accord|juste|bevorzugt|stimmt|Genauigkeit|prefiere|acierta|precisi[oó]n|prefere|acerta|acur[aá]cia|точност\\w*|совпада\\w*|предпочита\\w*",
  "准确率|正确率|一致|选对|选中|排对|偏好|正解率|精度|一致率|정확도|일치|선호",
);
/** The opposite: what is named there is the share of disagreement. */
const AGAINST = expression(
  "disagree\\w*|wrong(?:ly)?|rejected|worse|incorrect(?:ly)?|opposite|désaccord|faux|falsch|contradice|errad\\w+|неправильн\\w+|расход\\w+",
  "错|相反|反着|不一致|較差|逆|틀|반대|불일치",
);
const OF = /(?<![\d.,])(\d{1,6})\s*(?:\/|(?:out )?of(?: the)?|von|sur|de|из|sobre|中的?)\s*(\d{1,6})(?![\d.,%]\d|%)/iu;
const SHARE = /(?<![\d.,])(\d{1,3}(?:[.,]\d+)?)\s?[%％]|(?<![\d.,])(0?[.,]\d{1,4})(?![\d.,])/u;
/** What was there before the run is preferred to what it made. */
const OF_BASE =
  /(?:prefer\w*|favou?r\w*|picks?|picked|chooses?|chose|like[sd]?|préfèr\w*|bevorzug\w*|prefier\w*|prefer\w*|предпочита\w*)\s+(?:the |our |its |le |la |das |die |den |el |o |a )?(?:\p{L}+ )?(?:base(?:line)?|original|old(?:er)?|sft|untrained|previous|starting|modèle de base|Basismodell|alte|modelo base|базов\p{L}+|исходн\p{L}+)(?![\p{L}])|(?:喜欢|偏好|选择?了?|认为)(?:的是)?(?:原来?|原始|基座|旧|训练前|SFT)|(?:元|ベース|学習前)の?モデルを(?:好|選)|(?:기본|원래|베이스)\s?모델을\s?(?:선호|골)/iu;
/** Shares that say one thing or the other. */
const LOW = 0.35, HIGH = 0.65, LEAST = 10;

/** What a clause says of such pairs; null where it says nothing clear. */
export function goldShare(
  text: string,
  sentence: string,
): { readonly predicate: PredicateName; readonly value: number } | null {
  if (!has(GOLD, sentence) || !has(AGREES, text) && !has(AGAINST, text)) return null;
  const of = OF.exec(text), share = of === null ? SHARE.exec(text) : null;
  let value: number | null = null;
  if (of !== null && Number(of[2]) >= LEAST && Number(of[1]) <= Number(of[2])) value = Number(of[1]) / Number(of[2]);
  else if (share?.[1] !== undefined) value = writtenNumber(share[1]).value / 100;
  else if (share?.[2] !== undefined) value = writtenNumber(share[2]).value;
  if (value === null || value > 1) return null;
  if (has(AGAINST, text) !== OF_BASE.test(text)) value = 1 - value;
  return value < LOW ? { predicate: "low", value } : value > HIGH ? { predicate: "high", value } : null;
}
