/** In which share of the groups all rewards are the same: "5 % of the groups", "half of the prompts", 有 30% 的组. @module */
import { writtenNumber } from "./numbers.ts";

const GROUPS =
  "(?:groups?|prompts?|questions?|batches|Gruppen|Prompts|groupes?|requêtes|grupos|групп\\p{L}*|промпт\\p{L}*)(?!\\p{L})";
const NUMBER = "(\\d{1,3}(?:[.,]\\d+)?)\\s?[%％]";
const SHARE = new RegExp(
  `${NUMBER}\\s(?:of|der|des|de|aller|von|dos|из|от)?\\s?(?:all |the |our |los |as |os |den |les |всех )?(?:\\p{L}+ )?${GROUPS}|` +
    `${NUMBER}\\s?(?:的|の|의)\\s?(?:组|prompt|提示|题|グループ|プロンプト|그룹|프롬프트)|` +
    `(?:组|グループ(?:の)?|그룹(?:의)?)(?:中|里)?(?:有|的)?\\s?${NUMBER}`,
  "iu",
);
const OF = new RegExp(
  `(?<![\\d.,])(\\d{1,5})\\s?(?:/|(?:out )?of|von|sur|de|из)\\s?(?:the |den )?(\\d{1,5})\\s(?:\\p{L}+ )?${GROUPS}`,
  "iu",
);
const WORDS: readonly (readonly [words: RegExp, share: number])[] = [
  [
    new RegExp(
      `(?:half|die Hälfte|la moitié|la mitad|metade|половин\\p{L}+)\\s(?:of |der |des |de |dos )?(?:the |our |los |las |as |os )?${GROUPS}|一半的?组|半数の(?:グループ)|절반의\\s?그룹`,
      "iu",
    ),
    0.5,
  ],
  [
    new RegExp(
      `(?:a|one) third of (?:the |our )?${GROUPS}|ein Drittel der ${GROUPS}|un tiers des ${GROUPS}|三分之一的组`,
      "iu",
    ),
    1 / 3,
  ],
  [
    new RegExp(
      `(?:a|one) quarter of (?:the |our )?${GROUPS}|ein Viertel der ${GROUPS}|un quart des ${GROUPS}|四分之一的组`,
      "iu",
    ),
    0.25,
  ],
  [
    new RegExp(
      `(?:a few|some|several) (?:of (?:the |our )?)?${GROUPS}|einige[rn]? Gruppen|quelques groupes|algunos grupos|alguns grupos|少数组|部分组`,
      "iu",
    ),
    0.1,
  ],
];

/** "In 3 of 50 logged steps": of the run, not of all of it. */
const STEPS =
  /(?<![\d.,])(\d{1,5})\s?(?:\/|(?:out )?of|von|sur|de|из)\s?(?:the |den |les )?(\d{1,6})\s(?:\p{L}+ ){0,2}(?:steps?|records?|updates?|iterations?|Schritten?|pas|étapes|pasos|passos|шаг\p{L}*)(?!\p{L})/iu;

/** The share of train steps that a clause speaks of; null where it names none. */
export function stepShare(text: string): number | null {
  const [, part, whole] = STEPS.exec(text) ?? [];
  return whole !== undefined && Number(whole) > 0 && Number(part) <= Number(whole)
    ? Number(part) / Number(whole)
    : null;
}

/** The share that a clause names, from 0 to 1; null where it names none. */
export function groupShare(text: string): number | null {
  const found = SHARE.exec(text), number = found?.slice(1).find((one) => one !== undefined);
  if (number !== undefined) return Math.min(1, writtenNumber(number).value / 100);
  const [, part, whole] = OF.exec(text) ?? [];
  if (part !== undefined && Number(whole) >= Number(part) && Number(whole) > 0) return Number(part) / Number(whole);
  return WORDS.find(([words]) => words.test(text))?.[1] ?? null;
}
