/** Numbers that are each told with a train step: `38.7 at step 655`, 第10步的0.2, `10스텝에서 0.2`, "bei Schritt 2.000 bei 0,2". @module */
import type { Mention } from "../mentions.ts";
import type { ClauseNumber } from "./numbers.ts";
import type { ToldValue } from "../said.ts";

const STEP =
  "(?:(?:global |train(?:ing)? )?(?:step|iter(?:ation)?|update)|étape|pas|Schritt|paso|passo|шаге?|итерации)";
/** Between a number and the train step behind it. */
const AT = new RegExp(
  `^\\s*(?:at|@|on|in|by|around|after|nach|après|tras|después de|após|depois de|после|à|bei|im|em|en|no|na|на)\\s*(?:l'|the |el |le |o |dem )?(?:${STEP}\\s*)?[#~≈]?\\s*$`,
  "iu",
);
/** Between a train step and the number behind it. */
const OF =
  /^\s*(?:步|steps?|ステップ|스텝|번째\s?스텝)?\s*(?:目|时|時|时候|時点|시점)?\s*(?:的|の|의|是|为|為|到|では?|で|に|から|에서는?|에서|에는?|is|was|it is|it was|(?:liegt|lag|war)?\s?(?:\p{L}+\s)?bei|es(?: de)?|é(?: de)?|est(?: de| à)?|était (?:de|à)|составляет|было?)\s*(?:约|about |around |etwa )?$/iu;
const NEAR = /^[^,;，；。\d]{1,20}$/u;
const NAMES_STEP = /step|iter|update|étape|Schritt|paso|passo|шаг|итерац|步|ステップ|스텝/iu;

type Listed = Omit<ToldValue, "line" | "text">;

/** True of one number that is told of one metric. */
export const isSame = (one: Listed, two: Listed): boolean =>
  one.name === two.name && two.relation === "is" && one.values[0] === two.values[0];

/** Values with the train step that stands beside each, where one does. */
export function atSteps<One extends ToldValue>(values: readonly One[], listed: readonly Listed[]): One[] {
  return values.map((value) => {
    const own = listed.find((one) => isSame(one, value));
    if (own === undefined || own.from === value.from && value.to === null && !value.throughout) return value;
    const { atEnd: _, ...rest } = value;
    return { ...rest as One, from: own.from, to: own.to, throughout: false };
  });
}

/** The values of the metric that was spoken of last before each, at its train step; `isOwn` of mentions of this text. */
export function listedAt(
  text: string,
  mentions: readonly Mention[],
  numbers: readonly ClauseNumber[],
  isOwn: boolean,
): Listed[] {
  const named = mentions.filter((one) => one.name !== null), name = named.at(-1)?.name ?? null;
  const nameAt = (at: number) => isOwn ? named.findLast(({ end }) => end <= at)?.name ?? name! : name!;
  if (name === null || !NAMES_STEP.test(text) && !/^\s*~?\d/.test(text)) return [];
  const found: { readonly value: ClauseNumber; readonly step: ClauseNumber }[] = [];
  const isFree = (one: ClauseNumber) => !found.some(({ value, step }) => one === value || one === step);
  const pair = (between: RegExp, isBefore: boolean) => {
    numbers.slice(1).forEach((second, i) => {
      const first = numbers[i]!, value = isBefore ? second : first, step = isBefore ? first : second;
      const isStep = step.kind === "step" || step.kind === "steps" ||
        !isBefore && step.kind === "value" && Number.isInteger(step.value) && step.decimals === 0 && step.value >= 0;
      if (value.kind !== "value" || !isStep || !isFree(first) || !isFree(second)) return;
      if (between.test(text.slice(first.end, second.at))) found.push({ value, step });
    });
  };
  pair(AT, false);
  pair(OF, true);
  // Beside a number with its step, the one before it has the step before it.
  if (found.length > 0) pair(NEAR, true);
  found.sort((a, b) => a.value.at - b.value.at);
  return found.map(({ value: { value, decimals, at }, step: { value: step } }) => {
    const own = nameAt(at);
    return {
      printed: own,
      name: own,
      values: [value],
      relation: "is",
      decimals,
      from: step,
      to: step,
      throughout: false,
    };
  });
}
