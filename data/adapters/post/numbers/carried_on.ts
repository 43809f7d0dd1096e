/** Numbers of a clause that names no metric: they are of the one that was spoken of last. @module */
import type { Mention } from "../mentions.ts";
import type { ClauseNumber } from "./numbers.ts";
import { valuesOf } from "./told_values.ts";

/** "…, between 0.2 and 0.4": numbers of what the clause before spoke of. */
const CARRIES =
  /^\s*(?:(?:is |are |was |it'?s |it is |now |sits |stays |stuck |hovers |always |一直|始终|基本|大概|稳定|维持|都)*(?:at|between|around|about|from|in|在|约|为|是|从|entre|um|zwischen|около|между))?\s*[~≈]?\s*[-+]?\d/iu;

/** "After training I get 36.7 %": the score that was spoken of. */
const GETS =
  /^\s*(?:(?:after|nach|après|después de|depois d[eo]|после)\s[^,\d]{2,40}?\s|but |and |now |then |however,? |aber |mais |pero )?(?:i|we|it|the (?:trained|tuned|fine-?tuned|final) (?:model|one)|ich|wir|je|on|nous|obtengo|obtenemos)?\s*(?:now |only |just |nur |ne )?(?:gets?|got|have|has|reach(?:es|ed)?|scores?|scored|obtain(?:s|ed)?|achieves?d?|(?:drop|fall)(?:s|ped)? to|fell to|bekomm(?:e|en)|erreich(?:e|en|t)|obtiens|obtenons|es (?:de )?)\s*(?:only |about |around |nur |etwa |solo )?[~≈]?\s*(?=\d)|^\s*(?:我|我们)?(?:只)?(?:得到|变成了?|降到了?|只有|为)\s*(?:了)?\s*(?=\d)/iu;
const SCORES: ReadonlySet<Mention["subject"]> = new Set<Mention["subject"]>(["evaluation", "accuracy"]);

/** The number of a score that goes on without its name; `asked` are the metrics that were spoken of last. */
export function carriedScore(text: string, asked: readonly Mention[], numbers: readonly ClauseNumber[]) {
  const score = asked.findLast(({ subject, name }) => name !== null && SCORES.has(subject));
  const values = numbers.filter(({ kind }) => kind === "value");
  return score !== undefined && values.length === 1 && GETS.test(text) ? valuesAt(text, score, values) : [];
}

export function carriedOn(text: string, before: readonly Mention[], numbers: readonly ClauseNumber[]) {
  const last = before.findLast(({ name }) => name !== null);
  if (
    last === undefined || !CARRIES.test(text) ||
    !/^\s*\D*?(?:at|between|around|about|from|在|约|entre|um|zwischen|около|между)/iu.test(text)
  ) return [];
  // "Around ~6400 and ~13k" are train steps, but for lengths.
  if (/\d\s?k(?![\p{L}\d])/iu.test(text) && last.subject !== "completion_length") return [];
  return valuesAt(text, last, numbers);
}

const valuesAt = (text: string, last: Mention, numbers: readonly ClauseNumber[]) =>
  valuesOf(text, [{ ...last, at: 0, end: 0 }], numbers).map(({ at: _, ...one }) => ({
    ...one,
    subject: last.subject,
    printed: last.name!,
  }));
