/** Where a series changed its level. @module */
import { COURSE_VALUES, courseOf, departure, extreme } from "./course.ts";
import { recordsOf } from "./numbers.ts";
import type { RunView } from "./run_view.ts";
import { startsInTheMiddle } from "./start.ts";

/**
 * Index of the first value of the later level: the split into two levels that leaves the least squared error. 0 for fewer
 * than two values. A slow growth is split where it is half done; give logarithms where factors count.
 */
export function onset(values: readonly number[]): number {
  const count = values.length;
  const total = values.reduce((sum, value) => sum + value, 0);
  let [best, gained, before] = [0, -Infinity, 0];
  for (let at = 1; at < count; at++) {
    before += values[at - 1]!;
    // Two means explain more than one by this much.
    const between = before ** 2 / at + (total - before) ** 2 / (count - at);
    if (between > gained) [best, gained] = [at, between];
  }
  return best;
}

const LEAST = 1e-6; // A size below this is 0.

/** The same for a series of sizes: factors count, and 0 is as small as `least`. */
export function onsetOfSize(values: readonly number[], least = LEAST): number {
  return onset(values.map((value) => Math.log(Math.max(value, least))));
}

/** Share of the records from the onset on at which no checkpoint of before it is worth going back to. */
export const FROM_START = 0.95;

/** True if an onset is as good as the beginning of the run: what was before it is the model that training began with. */
export function isFromStart(view: RunView, onset: number | null): boolean {
  if (onset === null || view.records === 0 || startsInTheMiddle(view)) return false;
  return view.trainSteps.filter((step) => step >= onset).length / view.records > FROM_START;
}

/** The course of a column of a whole run with as many values as one has; else null. */
function longCourse(view: RunView, column: string) {
  return view.isWhole && recordsOf(view.column(column)).length >= COURSE_VALUES ? courseOf(view, column) : null;
}

/** The record at which a column left its first level for its last; null of a short run, or of a part of one. */
export function leavesStart(view: RunView, column: string): number | null {
  const course = longCourse(view, column);
  return course && course.levels[departure(course, course.start, course.end)]!.from;
}

/** The same from its best level, the highest (the lowest, for sign -1); null also where it ends at its best. */
export function leavesBest(view: RunView, column: string, sign: 1 | -1 = 1): number | null {
  const course = longCourse(view, column);
  if (course === null) return null;
  const best = extreme(course, sign);
  return sign * (best.value - course.end) > 0
    ? course.levels[departure(course, best.value, course.end, { after: best.at })]!.from
    : null;
}
