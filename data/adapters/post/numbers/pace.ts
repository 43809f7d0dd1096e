/** How the time of a train step goes, by the rates that a sentence names: `7 → 19 → 44 s/it`, `from 3 s/it to 30 s/it`. @module */
import { writtenNumber } from "./numbers.ts";

const NUMBER = "\\d+(?:[.,]\\d+)?";
const TIME =
  "(?:s|sec(?:s|onds?)?|秒|секунд\\w*|초|Sekunden|secondes?|segundos?)\\s?(?:/|per |a |each |par |pro |por |на )\\s?(?:it(?:er(?:ation)?)?|step|batch|步|ステップ|스텝|étape|Schritt|paso|passo|шаг)|(?:s|秒|초)(?=\\s?(?:每步|一步))";
const BEFORE = "(?:每|一)步(?:要|用|耗时|需要)?\\s?|per step:? |step time:? |1\\s?ステップ\\s?|스텝당\\s?";
const SPEED = "(?:it|iter|step|tok(?:en)?s?|samples?)\\s?/\\s?s(?:ec)?";
const SLOWER = 3; // Times that a step takes what it took.

const number = (unit: string) =>
  new RegExp(
    `(?<![\\d.,])(${NUMBER})(?:\\s*(?:→|->|=>|to|到|bis|à|a|→)\\s*(${NUMBER}))*\\s?(?:${unit})`,
    "giu",
  );
const [time, speed] = [number(TIME), number(SPEED)];
const timeBefore = new RegExp(`(?:${BEFORE})(${NUMBER})\\s?(?:s|秒|sec|초)`, "giu");

/** True where a step takes at least three times what it took. */
export function slowsDown(text: string): boolean {
  return rises(valuesOf(text, time)) || rises(valuesOf(text, timeBefore)) || rises(valuesOf(text, speed).reverse());
}

const valuesOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap(([whole]) =>
    [...whole.matchAll(new RegExp(NUMBER, "gu"))].map(([raw]) => writtenNumber(raw).value)
  );
const rises = (values: readonly number[]) =>
  values.length > 1 && values.at(-1)! >= SLOWER * values[0]! && values[0]! > 0;
