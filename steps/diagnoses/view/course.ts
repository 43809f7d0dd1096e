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
  /** Standard deviation of a level by chance. */
  readonly noise: number;
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

/** Standard error of the difference of two means of `width` levels each. */
export function errorOf({ noise, width }: Course, other = width): number {
  return noise * Math.sqrt(1 / width + 1 / other);
}

/** How far the series stands from its start, in standard errors; 0 where neither moves. */
export function sigmaOf(course: Course): number {
  const by = course.now - course.start, error = errorOf(course, NOW);
  return by === 0 ? 0 : error === 0 ? Math.sign(by) * Infinity : by / error;
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

/**
 * Index of the level from which on the series has left one level for another: the first of those at the end that all lie
 * beyond `share` of the way from `from` to `to`, looked for after level `after`. The last index where it never settles.
 */
export function departure(
  { levels }: Course,
  from: number,
  to: number,
  { share = 0.25, after = 0 }: { readonly share?: number; readonly after?: number } = {},
): number {
  const border = from + share * (to - from), sign = Math.sign(to - from);
  let at = levels.length;
  while (at > after && sign * (levels[at - 1]!.value - border) > 0) at--;
  return Math.min(at, levels.length - 1);
}

/** Index of the first level at or beyond a border, upwards (downwards, for sign -1) and never back; -1 if the end is not. */
export function crossing({ levels }: Pick<Course, "levels">, border: number, sign: 1 | -1 = 1): number {
  let at = levels.length;
  while (at > 0 && sign * (levels[at - 1]!.value - border) >= 0) at--;
  return at === levels.length ? -1 : at;
}

/** Levels from an index to the end. */
export function levelsSince({ levels }: Pick<Course, "levels">, at: number): number {
  return levels.length - at;
}
