/** Where a series changed its level. @module */

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
