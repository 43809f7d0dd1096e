/** How far a series has fallen from its best level, and whether that can be chance. @module */
import { mean, median } from "./numbers.ts";
import { meanVariance, wanderOf, withoutStep } from "./wander.ts";

/** A level at the end is of at most so many values, or such a share of all: what lies further back is no end any more. */
const LONGEST_END = 8, END = 1 / 8;

export interface Fall {
  /** The best level, the mean of a window. */
  readonly best: number;
  /** Index of the last value of that window. */
  readonly bestAt: number;
  /** The level at the end. */
  readonly end: number;
  /** The fall in standard errors. */
  readonly sigma: number;
  /** How many pairs of windows were compared. */
  readonly compared: number;
}

/** Variance of a mean of `count` values whose expectation is `level`, that is set beside one `apart` values away. */
export type Variance = (level: number, count: number, apart: number) => number;

/** Lengths of the windows that are compared. */
const WINDOWS = [1, 2, 4, 8, 16, 32];
/** Share of the values below which those that differ are events, and share of these that come together in a level. */
const SELDOM = 0.5, TOGETHER = 0.5;
const LEAST_ERROR = 1e-12; // Standard error of values that are all equal.

/**
 * The fall with the most standard errors, over windows of doubling length; null if the end is the best. One bad batch is
 * no end: the last level is the mean of at least `tail` values, and a run that has recovered in them has not fallen.
 */
export function biggestFall(values: readonly number[], variance: Variance, tail: number): Fall | null {
  const sums = [0];
  for (const value of values) sums.push(sums.at(-1)! + value);
  const level = (from: number, to: number) => to - from === 1 ? values[from]! : (sums[to]! - sums[from]!) / (to - from);
  const lengths = WINDOWS.filter((length) => length <= Math.max(1, values.length / 2));
  const longest = Math.max(LONGEST_END, END * values.length);
  let found: Omit<Fall, "compared"> | null = null;
  let compared = 0;
  for (const last of lengths.filter((length) => length >= tail && length <= longest)) {
    const end = Math.max(level(values.length - last, values.length), level(values.length - tail, values.length));
    for (const first of lengths) {
      for (let to = first; to <= values.length - last; to++) {
        compared++;
        const best = level(to - first, to);
        if (best <= end) continue;
        const middle = (best * first + end * last) / (first + last);
        const apart = values.length - last - to;
        const error = Math.sqrt(variance(middle, first, apart) + variance(middle, last, apart));
        const sigma = (best - end) / Math.max(error, LEAST_ERROR);
        if (found === null || sigma > found.sigma) found = { best, bestAt: to - 1, end, sigma };
      }
    }
  }
  return found === null ? null : { ...found, compared };
}

const LEFT = 0.25; // Share of the way down from which on the best level counts as left.

/**
 * Index of the last value at which the best level of a fall still held: the fall begins behind it. A mean of `tail` values
 * must lie below the border, so that a draw of noise above it late in the fall is no level.
 */
export function beginsAt(values: readonly number[], { best, bestAt, end }: Fall, tail: number): number {
  const border = best - LEFT * (best - end);
  let at = values.length - 1;
  while (at > bestAt && mean(values.slice(Math.max(0, at - tail + 1), at + 1)) < border) at--;
  return at;
}

/**
 * True if the fall is beyond chance at `sigma` standard errors. The best of m windows lies above its expectation by
 * chance: the largest of m normal draws is about sqrt(2 ln m), which is added to the square of what one comparison wants.
 */
export function isBeyondChance(fall: Fall, sigma: number): boolean {
  return fall.sigma >= Math.sqrt(sigma ** 2 + 2 * Math.log(fall.compared));
}

/** Share of its best level that is left, at most, of evaluations that have fallen beside a witness, and the standard errors. */
export const LEFT_BESIDE = 0.75, SURE_BESIDE = 4;
const TAIL = 2; // Evaluations that are the end: one alone may be a bad one.

/**
 * The fall of evaluations of which something else says as well that they should not fall: beyond their scatter and by a
 * quarter of the best level. A few evaluations do not show how long a memory they have; of scores of deviation 0.04 around
 * 0.4 that wander with a memory of 0.8 some 3 % lose so much. Null where it is less.
 */
export function fallBeside(values: readonly number[]): Fall | null {
  const fall = biggestFall(values, scatterVariance(values), TAIL);
  const isFar = fall !== null && fall.best > 0 && fall.end <= LEFT_BESIDE * fall.best;
  return isFar && isBeyondChance(fall, SURE_BESIDE) ? fall : null;
}

const SURE_AMONG = 3; // Standard errors of their scatter that a fall of evaluations has, beyond that of the most of many series.

/** True if evaluations fall by more than the chance of so many series, of which the one that fell most is told. */
export function fallsAmong(values: readonly number[], series: number): boolean {
  const fall = biggestFall(values, scatterVariance(values), TAIL);
  return fall !== null && isBeyondChance(fall, Math.sqrt(SURE_AMONG ** 2 + 2 * Math.log(series)));
}

/** Variance of the share of `prompts` x `count` prompts solved; pooled, so that 0 of 16 is no certainty. */
export function shareVariance(prompts: number): (level: number, count: number) => number {
  return (level, count) => {
    const p = Math.min(1 - 0.5 / (prompts * count), Math.max(0.5 / (prompts * count), level));
    return p * (1 - p) / (prompts * count);
  };
}

/** Variance of a mean of values that are mostly one and the same and now and then another: events of a Poisson process. */
function eventVariance(values: readonly number[]): Variance | null {
  const usual = median(values), others = values.map((value) => Math.abs(value - usual));
  const events = others.filter((size) => size > 0),
    together = others.filter((size, i) => size > 0 && others[i + 1]! > 0);
  // Where the others stand together they are no events but another level.
  if (events.length >= SELDOM * values.length || together.length >= TOGETHER * events.length) return null;
  const size = median(events);
  return (level, count) => Math.max(Math.abs(level - usual), size / count) * size / count;
}

/** The same of evaluations: each asks anew, so what they scatter by has no memory, and one that falls for good is no noise. */
export function scatterVariance(values: readonly number[]): Variance {
  const one = ofNeighbours(values);
  return eventVariance(values) ?? ((_, count) => one / count);
}

/** Variance of one value by the differences of neighbours. */
export const ofNeighbours = (values: readonly number[]) =>
  mean(values.slice(1).map((value, i) => (value - values[i]!) ** 2 / 2));

/**
 * Variance of a mean of values of unknown spread: from the differences of neighbours, which a trend hardly moves, or where
 * it is more, from what noise with a memory does over the length of the series (`wander.ts`): a smoothed curve, means over
 * an interval, a policy that drifts.
 */
export function neighbourVariance(values: readonly number[]): Variance {
  const ofEvents = eventVariance(values);
  if (ofEvents !== null) return ofEvents;
  const one = ofNeighbours(values);
  const wander = wanderOf(withoutStep(values)), known = new Map<number, number[]>();
  return (_, count, apart) => {
    // Distances that double are enough: what is asked of a hundred thousand pairs is computed of a hundred.
    const doublings = apart <= 1 ? 0 : 32 - Math.clz32(apart - 1);
    let ofCount = known.get(count);
    if (ofCount === undefined) known.set(count, ofCount = []);
    return ofCount[doublings] ??= Math.max(one / count, meanVariance(wander, count, 2 ** doublings));
  };
}
