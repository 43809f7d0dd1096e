/** The metric that a head of a table or a phrase names, as `nameInfo` knows it. @module */
import { nameInfo } from "../intake/name_info.ts";
import { mentionsIn } from "./mentions.ts";

/** Heads of a column of train steps. */
const STEP =
  /^(?:global[ _])?(?:train(?:ing)?[ _])?(?:steps?|iter(?:ation)?s?|updates?|步(?:数|骤)?|训练步数?|step数|étapes?|pas|passos?|pasos?|Schritte?|шаг(?:и|ов)?|итераци[яи]|ステップ(?:数)?|스텝|단계)\s*(?:\(.*\))?\s*(?:#|no\.?)?$/iu;
/** Heads of a column of epochs. */
const EPOCH =
  /^(?:epochs?|ep|轮(?:次|数)?|エポック(?:数)?|에폭|에포크|époques?|Epochen?|épocas?|эпох[аи])\s*(?:\(.*\))?$/iu;
/** Words that say how a number was made, and no other metric. */
const HOW =
  /\((?:[^)]*)\)|（[^）]*）|\b(?:mean|avg|average|ema|smoothed|per token|final|total)\b|均值|平均|每\s?token/giu;

export const isStepHead = (cell: string) => STEP.test(cell.trim());

export const isEpochHead = (cell: string) => EPOCH.test(cell.trim());

/** Null where it names none, or several. */
export function metricName(cell: string): string | null {
  const text = cell.trim();
  if (text === "" || text.length > 80) return null;
  const info = nameInfo(text);
  if (info.mapped && !info.isStep) return text;
  const bare = text.replace(HOW, " ").trim();
  for (const one of [bare, text]) {
    const mentions = mentionsIn(one);
    const names = new Set(mentions.flatMap(({ name }) => name ?? []));
    if (names.size === 1 && mentions[0]!.end - mentions[0]!.at >= 0.4 * one.length) return [...names][0]!;
  }
  return null;
}
