/** Whether mean lengths show that within every group all completions are equally long, where no completion is printed. @module */

const FINEST = 512; // Groups of one record: means over more are not told apart from any number.
const FLOAT32 = 1e-6; // Relative error of a mean that was summed in float32.
const CHANCE = 1e-3; // Probability by luck below which it is none.
/** Steps of a length that a few printed digits make, whatever was measured. */
const OF_DIGITS = new Set([5, 10, 20, 25, 50, 100]);

/** The smallest n of which every value is k / n; null where there is none. */
function stepOf(values: readonly number[]): number | null {
  const isWhole = (value: number) => Math.abs(value - Math.round(value)) <= FLOAT32 * Math.max(1, Math.abs(value));
  for (let n = 1; n <= FINEST; n++) if (values.every((value) => isWhole(value * n))) return n;
  return null;
}

/**
 * The number of groups n of a record if its mean length is k / n on every record, as the mean of rewards that tie in every
 * group is; lengths that differ within groups of G have a mean of k / (n x G). Null where the values show no such thing.
 *
 * lengths, rewards   mean over the completions of a record, all of whose groups tie in the reward
 * size               G, or null where it is not known: 2 is then assumed, the most that luck explains
 */
export function groupsOfOneLength(
  lengths: readonly number[],
  rewards: readonly number[],
  size: number | null,
): number | null {
  const groups = stepOf(rewards), step = stepOf(lengths);
  if (groups === null || step === null || step < 2 || OF_DIGITS.has(step) || groups % step !== 0) return null;
  return Math.pow(Math.max(2, size ?? 2), -lengths.length) <= CHANCE ? groups : null;
}
