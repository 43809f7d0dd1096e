/** Numbers of a clause that names no metric: they are of the one that was spoken of last. @module */
import type { Mention } from "../mentions.ts";
import type { ClauseNumber } from "./numbers.ts";
import { valuesOf } from "./told_values.ts";

/** "…, between 0.2 and 0.4": numbers of what the clause before spoke of. */
const CARRIES =
  /^\s*(?:(?:is |are |was |it'?s |it is |now |sits |stays |stuck |hovers |always |一直|始终|基本|大概|稳定|维持|都)*(?:at|between|around|about|from|in|在|约|为|是|从|entre|um|zwischen|около|между))?\s*[~≈]?\s*[-+]?\d/iu;

export function carriedOn(text: string, before: readonly Mention[], numbers: readonly ClauseNumber[]) {
  const last = before.findLast(({ name }) => name !== null);
  if (
    last === undefined || !CARRIES.test(text) ||
    !/^\s*\D*?(?:at|between|around|about|from|在|约|entre|um|zwischen|около|между)/iu.test(text)
  ) return [];
  // "Around ~6400 and ~13k" are train steps, but for lengths.
  if (/\d\s?k(?![\p{L}\d])/iu.test(text) && last.subject !== "completion_length") return [];
  return valuesOf(text, [{ ...last, at: 0, end: 0 }], numbers).map(({ at: _, ...one }) => ({
    ...one,
    subject: last.subject,
    printed: last.name!,
  }));
}
