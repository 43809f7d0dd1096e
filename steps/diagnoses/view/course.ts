/**
 * The course of a metric over a run: robust levels, how much of them is noise, and where a change began.
 *
 * A long series is cut into at most BINS stretches of equal length; each stands for itself by the mean of its middle values, so a spike of
 * a few records is none of it, and a batch of few completions counts for what it is. The noise of such a level is measured between the levels themselves, from second
 * differences, in which a line cancels: whatever the values of a stretch have in common (autocorrelation, a hard batch, an
 * evaluation cycle shorter than a stretch) is then part of the noise, which a variance within stretches would miss.
 * @module
 */
import { type Cells, isNumber, mean, median } from "./numbers.ts";
import type { RunView } from "./run_view.ts";
import { differenceError, type Wander, wanderOf } from "./wander.ts";

/** Stretches of a long series; a run dies over several of them and lives in more. */
const BINS = 24;
const LEAST = 8; // Stretches of a short one: below that a quarter is one level or two.
const PER_BIN = 3; // Values whose median is no single one.
/** Values from which a series of records, and one of evaluations, has a course. */
export const COURSE_VALUES = 16;
const SHORTEST = 5;
/** Median absolute deviation to standard deviation of a normal; standard deviation of a second difference of white noise. */
const MAD = 1.4826, SECOND = Math.sqrt(6);
const NOW = 2; // Levels that are where a series stands now.
const TRIMMED = 0.2; // Share of a stretch's values at each end that its level leaves out.
/** Share of the run that makes its first and its last level. */
const END = 1 / 6;

/** A stretch of the series. */
interface Level {
  /** Mean of its middle values. */
  readonly value: number;
  /** Its first and its last record. */
  readonly from: number;
  readonly to: number;
}

/** The levels of one column. */
export interface Course {
  readonly column: string;
  /** Records with a value. */
  readonly records: readonly number[];
  readonly values: readonly number[];
  readonly levels: readonly Level[];
  /** Standard deviation of a level by chance, as its neighbours show it. */
  readonly noise: number;
  /** How far levels lie apart by chance, whatever the memory of the noise. */
  readonly wander: Wander;
  /** Mean level of the first and the last sixth of the run. */
  readonly start: number;
  readonly end: number;
  /** Mean of the last two levels: where it stands now. */
  readonly now: number;
  /** Levels of which `start` and `end` are the mean. */
  readonly width: number;
}

/** Thrown where a course is asked of a part of a run: the rule that asks waits until the whole run is looked at. */
export class NoCourse extends Error {}
/** One for all: rules ask often, and where they stood is of no use. */
const NO_COURSE = new NoCourse("Cannot see the course of a column: the view is a part of its run");

/** The course of a column of a view; null where it has fewer values than a course. Throws NoCourse for a part of a run. */
export function courseOf(view: RunView, column: string): Course | null {
  if (!view.isWhole) throw NO_COURSE;
  return view.memo(`course ${column}`, () => course(column, view.column(column)));
}

/** The same of cells; `perBin` values and more make a level. */
export function course(column: string, cells: Cells, perBin = PER_BIN): Course | null {
  const records: number[] = [], values: number[] = [];
  cells.forEach((value, record) => {
    if (!isNumber(value)) return;
    records.push(record);
    values.push(value);
  });
  if (perBin === PER_BIN && values.length < COURSE_VALUES || values.length < SHORTEST) return null;
  const count = Math.min(BINS, values.length, Math.max(LEAST, Math.floor(values.length / perBin)));
  const cut = (bin: number) => Math.round(bin * values.length / count);
  const levels = Array.from({ length: count }, (_, bin): Level => ({
    value: middle(values.slice(cut(bin), cut(bin + 1))),
    from: records[cut(bin)]!,
    to: records[cut(bin + 1) - 1]!,
  }));
  const width = Math.max(2, Math.round(count * END));
  return {
    column,
    records,
    values,
    levels,
    noise: noiseOf(levels.map(({ value }) => value)),
    wander: wanderOf(values),
    start: levelOver(levels, 0, width),
    end: levelOver(levels, count - width, count),
    now: levelOver(levels, count - NOW, count),
    width,
  };
}

/** Mean without the lowest and the highest fifth. */
function middle(values: readonly number[]): number {
  const sorted = new Float64Array(values).sort(), out = Math.floor(TRIMMED * sorted.length);
  let sum = 0;
  for (let at = out; at < sorted.length - out; at++) sum += sorted[at]!;
  return sum / (sorted.length - 2 * out);
}

/** Mean of the levels in a range. */
export function levelOver(levels: readonly Level[], from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += levels[at]!.value;
  return sum / (to - from);
}

/** Standard deviation of one of the values by chance, whatever line they follow. */
export function noiseOf(values: readonly number[]): number {
  const second = values.slice(2).map((value, i) => Math.abs(value - 2 * values[i + 1]! + values[i]!));
  const usual = median(second);
  if (second.length === 0) return 0;
  // Where most levels are one value their median says nothing of the others.
  return (usual > 0 ? MAD * usual : Math.sqrt(mean(second.map((value) => value ** 2)))) / SECOND;
}

/**
 * Standard error of the difference of a mean of `width` levels and one of `other`, so many levels `apart` (at the two ends
 * of the course): by what neighbouring levels scatter, or by what noise with a memory does over that distance, whichever is larger.
 */
export function errorOf(course: Course, other = course.width, apart = course.levels.length - course.width - other) {
  const { noise, width, wander, values, levels } = course, per = values.length / levels.length;
  return Math.max(
    noise * Math.sqrt(1 / width + 1 / other),
    differenceError(wander, per * width, per * other, per * Math.max(0, apart)),
  );
}

/** How far the series stands from its start, in standard errors; 0 where neither moves. */
export function sigmaOf(course: Course): number {
  const by = course.now - course.start;
  return by === 0 ? 0 : by / errorOf(course, NOW);
}

/** The highest mean of `width` neighbouring levels (the lowest, for sign -1), and the last index of it. */
export function extreme({ levels, width }: Course, sign: 1 | -1 = 1): { readonly value: number; readonly at: number } {
  let best = { value: -sign * Infinity, at: width - 1 };
  for (let to = width; to <= levels.length; to++) {
    const value = levelOver(levels, to - width, to);
    if (sign * value > sign * best.value) best = { value, at: to - 1 };
  }
  return best;
}

/** Shares of the way at which a level is left: at least, and at most; standard deviations of a level that make more than noise. */
const SOONEST = 0.05, LATEST = 0.5, BEYOND_NOISE = 3;

/**
 * Index of the level from which on the series has left one level for another, looked for after level `after`: the first of
 * those at the end that lie beyond a twentieth of the way from `from` to `to`, or beyond the noise where that is more: what starts
 * slowly has begun long before it is far. The last index where it never settles.
 */
export function departure(
  { levels, noise }: Course,
  from: number,
  to: number,
  { after = 0 }: { readonly after?: number } = {},
): number {
  const way = to - from, sign = Math.sign(way);
  const share = way === 0 ? LATEST : Math.min(LATEST, Math.max(SOONEST, BEYOND_NOISE * noise / Math.abs(way)));
  const at = sinceWhen(levels, (value) => sign * (value - from - share * way) > 0);
  return Math.min(Math.max(at, after), levels.length - 1);
}

/** The way of a course from its best levels to where it stands. */
interface Way {
  readonly from: number;
  readonly to: number;
  readonly by: number;
  /** The same in standard errors of that distance; 0 where neither moves. */
  readonly sigma: number;
  /** Last index of the best levels. */
  readonly best: number;
  /** Index of the level from which on it has left them. */
  readonly left: number;
}

/** The way from the highest levels (the lowest, for sign -1) to the last two, or to all that make the end. */
export function wayFrom(
  course: Course,
  sign: 1 | -1,
  { until = "now" }: { readonly until?: "now" | "end" } = {},
): Way {
  const { value, at } = extreme(course, sign), to = course[until], width = until === "now" ? NOW : course.width;
  const by = to - value, error = errorOf(course, width, course.levels.length - width - at - 1);
  return {
    from: value,
    to,
    by,
    sigma: by === 0 ? 0 : by / error,
    best: at,
    left: departure(course, value, to, { after: at }),
  };
}

/** Index of the first level at or beyond a border, upwards (downwards, for sign -1) and not back again; -1 if the end is not. */
export function crossing({ levels }: Pick<Course, "levels">, border: number, sign: 1 | -1 = 1): number {
  const at = sinceWhen(levels, (value) => sign * (value - border) >= 0);
  return at === levels.length ? -1 : at;
}

/** Levels of a state per one that may be out of it: a spike, or a bad batch, is no return from it. */
const PER_EXCURSION = 8;

/** Index of the first level of the state that holds at the end: single levels out of it, one in so many, do not end it. */
function sinceWhen(levels: readonly Level[], holds: (value: number) => boolean): number {
  let since = levels.length, out = 0;
  for (let at = levels.length - 1; at >= 0; at--) {
    if (holds(levels[at]!.value)) {
      if (levels.length - at >= PER_EXCURSION * out) since = at;
      continue;
    }
    out++;
    if (at === levels.length - 1 || !holds(levels[at + 1]!.value) || !holds(levels[at - 1]?.value ?? NaN)) break;
  }
  return since;
}

const LAST = 3, AGREE = 2; // Levels at the end of which so many must show a change.

/**
 * True if more than the last level has changed from a level to the course's end: of the last three, behind level `after`, two
 * lie beyond half of the way. An evaluation is one level: one alone is no trend, and the next one tells.
 */
export function isConfirmed({ levels, end }: Course, from: number, after = -1): boolean {
  const border = (from + end) / 2, sign = Math.sign(end - from);
  return levels.slice(Math.max(after + 1, levels.length - LAST)).filter(({ value }) => sign * (value - border) > 0)
    .length >= AGREE;
}

/** Levels from an index to the end. */
export function levelsSince({ levels }: Pick<Course, "levels">, at: number): number {
  return levels.length - at;
}
