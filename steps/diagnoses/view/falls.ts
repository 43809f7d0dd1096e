/** How far a series has fallen from its best level, and whether that can be chance. @module */
import { mean, median } from "./numbers.ts";

const LONGEST_END = 8; // A level is measured over at most this many values: what lies further back is no end any more.

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

/** Variance of a mean of `count` values whose expectation is `level`. */
export type Variance = (level: number, count: number) => number;

/** Lengths of the windows that are compared. */
const WINDOWS = [1, 2, 4, 8, 16, 32];
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
  let found: Omit<Fall, "compared"> | null = null;
  let compared = 0;
  for (const last of lengths.filter((length) => length >= tail && length <= LONGEST_END)) {
    const end = Math.max(level(values.length - last, values.length), level(values.length - tail, values.length));
    for (const first of lengths) {
      for (let to = first; to <= values.length - last; to++) {
        compared++;
        const best = level(to - first, to);
        if (best <= end) continue;
        const middle = (best * first + end * last) / (first + last);
        const error = Math.sqrt(variance(middle, first) + variance(middle, last));
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

/** Variance of the share of `prompts` x `count` prompts solved; pooled, so that 0 of 16 is no certainty. */
export function shareVariance(prompts: number): Variance {
  return (level, count) => {
    const p = Math.min(1 - 0.5 / (prompts * count), Math.max(0.5 / (prompts * count), level));
    return p * (1 - p) / (prompts * count);
  };
}

/**
 * Variance of a mean of values of unknown spread: from the differences of neighbours, which a trend hardly moves. Values
 * that resemble their neighbours (a smoothed curve, means over an interval, prompts in an order) differ less from them
 * than they scatter: then it is that of blocks, from their second differences, which neither a trend nor one fall moves.
 */
export function neighbourVariance(values: readonly number[]): Variance {
  const squares = values.slice(1).map((value, i) => (value - values[i]!) ** 2 / 2);
  const one = mean(squares), wide = blockVariance(values);
  return wide > ALIKE * one ? (_, count) => Math.max(one, wide) / count : (_, count) => one / count;
}

/** Values of a block; blocks that make a variance; how many times the neighbours' it is where values are alike. */
const BLOCK = 4, BLOCKS = 10, ALIKE = 2;
const MEDIAN_SQUARE = 0.4549; // Of a standard normal draw.
const SECOND_DIFFERENCE = 6; // Its variance, in variances of one value: 1 + 4 + 1.

/** Variance of one value, as means of blocks show it; 0 where there are too few. */
function blockVariance(values: readonly number[]): number {
  const blocks = Array.from({ length: Math.floor(values.length / BLOCK) }, (_, i) => {
    return mean(values.slice(i * BLOCK, (i + 1) * BLOCK));
  });
  if (blocks.length < BLOCKS) return 0;
  const squares = blocks.slice(2).map((value, i) => (value - 2 * blocks[i + 1]! + blocks[i]!) ** 2);
  return median(squares) / MEDIAN_SQUARE / SECOND_DIFFERENCE * BLOCK;
}
