/**
 * How much the completions of a group differ: in reward and in text.
 * @module
 */

/** Row numbers of each group, in order of first appearance. */
export function groupRows(groups: ArrayLike<unknown>): number[][] {
  const rows = new Map<unknown, number[]>();
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row];
    const list = rows.get(group);
    if (list) list.push(row);
    else rows.set(group, [row]);
  }
  return [...rows.values()];
}

/**
 * Fraction of groups whose rewards are all equal (within `tolerance`, since float noise is no signal).
 * Null rewards do not count; groups with fewer than two rewards neither. Null when no group counts; NaN rewards differ.
 */
export function zeroSpreadFraction(
  groups: ArrayLike<unknown>,
  rewards: ArrayLike<number | null>,
  tolerance = 1e-6,
): number | null {
  let counted = 0, equal = 0;
  for (const rows of groupRows(groups)) {
    const values = rows.map((row) => rewards[row]).filter((value): value is number =>
      value !== null && value !== undefined
    );
    if (values.length < 2) continue;
    counted++;
    if (Math.max(...values) - Math.min(...values) <= tolerance) equal++;
  }
  return counted === 0 ? null : equal / counted;
}

/** Mean over groups of distinct values over group size: 1/G when all are equal, 1 when all differ. Null without rows. */
export function uniqueFraction(groups: ArrayLike<unknown>, texts: ArrayLike<unknown>): number | null {
  const shares = groupRows(groups).map((rows) => new Set(rows.map((row) => texts[row])).size / rows.length);
  return shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Chance that all G rewards of a group are equal when each is right with probability p: p^G + (1-p)^G. */
export function expectedZeroSpread(accuracy: number, groupSize: number): number {
  return accuracy ** groupSize + (1 - accuracy) ** groupSize;
}
