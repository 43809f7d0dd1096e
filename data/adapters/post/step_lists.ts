/** Two lists of one length, train steps and what a metric was at each: "at 100 / 200 / 300 steps the reward was 0.4 / 0.3 / 0.1". @module */
import type { Intake } from "../intake/intake.ts";
import { ALL_DIGITS } from "../intake/stage.ts";
import type { Line } from "../source/lines.ts";
import { mentionsIn } from "./mentions.ts";
import { STEP_NUMBER, stepNumber, writtenNumber } from "./numbers.ts";

const BETWEEN =
    "(?:\\s*(?:/|→|->|,\\s|、|，|;)\\s*(?:and |und |et |y |e |и )?|\\s+(?:and|und|et|y|e|и|和|と)\\s+|\\s?[和と]\\s?)",
  NUMBER = "[-+−]?(?:\\d+(?:[.,]\\d+)?|\\.\\d+)(?:[eE][-+]?\\d+)?\\s?[%％]?";
const STEP_WORD =
  "(?:steps?|iter(?:ation)?s?|updates?|étapes?|pas|pasos?|passos?|Schritte?n?|шаг\\p{L}*|步|ステップ|스텝)";
const LEAST = 2; // More of them: three of each are a course.
const STEPS = new RegExp(`((?:${STEP_NUMBER})(?:${BETWEEN}(?:${STEP_NUMBER})){${LEAST},20})`, "giu");
const VALUES = new RegExp(`(?<![\\d.,])(${NUMBER}(?:${BETWEEN}${NUMBER}){${LEAST},20})(?![\\d])`, "giu");
const NAMED_BEFORE = new RegExp(`(?<!\\p{L})${STEP_WORD}\\s*#?$`, "iu"),
  NAMED_BEHIND = new RegExp(`^\\s*${STEP_WORD}(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`, "iu");
/** Six numbers. */
const SEVERAL = /(?:\d+\D+){5}\d/;
const LONGEST = 400; // Characters of a line that is such a sentence.

const partsOf = (list: string) => list.match(new RegExp(NUMBER, "gu")) ?? [];

/** Takes such a line as records; false where it holds no such lists. */
export function readStepLists(intake: Intake, { text, number: line }: Line): boolean {
  if (text.length > LONGEST || !SEVERAL.test(text)) return false;
  const found = [...text.matchAll(STEPS)].find(({ index, 0: list }) =>
    NAMED_BEFORE.test(text.slice(Math.max(0, index - 16), index)) || NAMED_BEHIND.test(text.slice(index + list.length))
  );
  if (found === undefined) return false;
  const steps = [...found[0].matchAll(new RegExp(STEP_NUMBER, "giu"))].map(([raw]) => stepNumber(raw));
  const values = [...text.matchAll(VALUES)].filter(({ index }) =>
    index >= found.index + found[0].length || index < found.index
  ).map((one) => ({ at: one.index, parts: partsOf(one[0]) })).filter(({ parts }) => parts.length === steps.length);
  const mentions = mentionsIn(text).filter(({ name }) => name !== null);
  const isCourse = steps.every((step, i) => i === 0 || step > steps[i - 1]!);
  const lists = values.flatMap(({ at, parts }) => {
    const name = mentions.findLast(({ end }) => end <= at)?.name ?? null;
    return name === null ? [] : [{ name, parts }];
  });
  if (!isCourse || lists.length === 0 || new Set(lists.map(({ name }) => name)).size < lists.length) return false;
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
  return true;
}
