/** Whether means of a reward are those of one with partial credit, or of one that is paid or not. @module */

const LARGEST = 256; // Groups, or completions, of one record: 0s and 1s of no more have a mean of k / 256 at the finest.
const FLOAT32 = 1e-7; // Relative error of a mean that was summed in float32.
const LEAST = 5, MOST = 0.8; // Records that are looked at, and the share of them that no such fraction explains.

/** k / n with a small n, as a mean of whole numbers is. */
function isFraction(value: number): boolean {
  for (let n = 1; n <= LARGEST; n++) {
    const scaled = value * n;
    if (Math.abs(scaled - Math.round(scaled)) <= FLOAT32 * Math.max(1, Math.abs(scaled))) return true;
  }
  return false;
}

/** True if most means between 0 and 1 are no fraction of whole rewards: an IoU, a similarity, a confidence. */
export function isGraded(means: readonly number[]): boolean {
  const known = means.filter((value) => Number.isFinite(value) && value !== 0 && value !== 1); // both kinds have these
  return known.length >= LEAST && known.filter((value) => !isFraction(value)).length >= MOST * known.length;
}
