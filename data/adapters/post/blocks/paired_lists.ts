/** Two lists of one length, train steps and what a metric was at each: "at 100 / 200 / 300 steps the reward was 0.4 / 0.3 / 0.1". @module */
import type { Intake } from "../../intake/intake.ts";
import { ALL_DIGITS } from "../../intake/stage.ts";
import type { Line } from "../../source/lines.ts";
import { mentionsIn } from "../mentions.ts";
import { STEP_NUMBER, stepNumber, writtenNumber } from "../numbers/numbers.ts";

const BETWEEN =
    "(?:\\s*(?:/|→|->|,\\s|、|，|;)\\s*(?:and |und |et |y |e |и )?|\\s+(?:and|und|et|y|e|и|和|と)\\s+|\\s?[和と]\\s?)",
  NUMBER = "[-+−]?(?:\\d+(?:[.,]\\d+)?|\\.\\d+)(?:[eE][-+]?\\d+)?\\s?[%％]?";
const STEP_WORD =
  "(?:steps?|iter(?:ation)?s?|updates?|étapes?|pas|pasos?|passos?|Schritte?n?|шаг\\p{L}*|步|ステップ|스텝)";
/** A blank that stands where a list was read. */
export const LISTED = "\u2007";
const LEAST = 2; // More of them: three of each are a course.
const STEPS = new RegExp(`((?:${STEP_NUMBER})(?:${BETWEEN}(?:${STEP_NUMBER})){${LEAST},20})`, "giu");
const VALUES = new RegExp(`(?<![\\d.,])(${NUMBER}(?:${BETWEEN}${NUMBER}){${LEAST},20})(?![\\d])`, "giu");
const NAMED_BEFORE = new RegExp(`(?<!\\p{L})${STEP_WORD}\\s*#?$`, "iu"),
  AT_BEFORE = /(?<!\p{L})(?:at|@|bei|à|aux|en|em|на)\s*$/iu,
  NAMED_BEHIND = new RegExp(`^\\s*${STEP_WORD}(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`, "iu");
/** Six numbers. */
const SEVERAL = /(?:\d+\D+){5}\d/;
const SENTENCE_END = /[.!?;](?=\s)|[。！？；]/g;
const LONGEST = 400; // Characters of a line that is such a sentence.

const partsOf = (list: string) => list.match(new RegExp(NUMBER, "gu")) ?? [];

/** Takes such a line as records; what else it says, its lists left out, and null where it holds none. */
export function readStepLists(intake: Intake, { text, number: line }: Line): string | null {
  if (text.length > LONGEST || !SEVERAL.test(text)) return null;
  const all = [...text.matchAll(VALUES)].map(({ index, 0: list }) => ({ at: index, list, parts: partsOf(list) }));
  const found = stepsOf(text, all);
  if (found === null) return null;
  const steps = [...found.list.matchAll(new RegExp(STEP_NUMBER, "giu"))].map(([raw]) => stepNumber(raw));
  const values = all.filter(({ at, parts }) =>
    parts.length === steps.length && (at >= found.at + found.list.length || at < found.at)
  );
  const isCourse = steps.every((step, i) => i === 0 || step > steps[i - 1]!);
  const lists = values.flatMap((one) => {
    const name = nameOf(text, one.at);
    return name === null ? [] : [{ ...one, name }];
  });
  if (!isCourse || lists.length === 0 || new Set(lists.map(({ name }) => name)).size < lists.length) return null;
  const { stage } = intake;
  for (const [i, step] of steps.entries()) {
    for (const isEval of [false, true]) {
      stage.reset();
      for (const { name, parts } of lists) {
        const info = stage.info(name), { value, decimals } = writtenNumber(parts[i]!);
        if (info.isEval === isEval) stage.add(info, value, decimals === 0 ? ALL_DIGITS : decimals);
      }
      if (stage.count > 0) intake.commit({ line, step, metrics: true, evaluation: isEval });
    }
  }
  // As long as before: places in the line stay what they are.
  return [found, ...lists].reduce(
    (rest, { at, list }) => rest.slice(0, at) + LISTED.repeat(list.length) + rest.slice(at + list.length),
    text,
  );
}

interface List {
  readonly at: number;
  readonly list: string;
}

/** The train steps: named as such, or behind "at", whole and as many as the values before them. */
function stepsOf(text: string, values: readonly (List & { readonly parts: readonly string[] })[]): List | null {
  const lists = [...text.matchAll(STEPS)].map(({ index, 0: list }) => ({ at: index, list }));
  const before = ({ at }: List) => text.slice(Math.max(0, at - 16), at);
  return lists.find((one) =>
    NAMED_BEFORE.test(before(one)) || NAMED_BEHIND.test(text.slice(one.at + one.list.length))
  ) ??
    lists.find((one) => {
      const last = values.findLast(({ at }) => at < one.at);
      return AT_BEFORE.test(before(one)) && !/\d[.,]\d/.test(one.list) && last !== undefined &&
        last.parts.length === partsOf(one.list).length;
    }) ?? null;
}

/** The metric of a list: that of its clause which is named last before it, else of its sentence, else of the line. */
function nameOf(text: string, at: number): string | null {
  const before = text.slice(0, at);
  const ends = [...before.matchAll(SENTENCE_END)], from = ends.length === 0 ? 0 : ends.at(-1)!.index + 1;
  for (const start of [from, 0]) {
    const name = mentionsIn(text.slice(start)).findLast((one) => one.name !== null && start + one.end <= at)?.name;
    if (name !== undefined && name !== null) return name;
  }
  return null;
}
