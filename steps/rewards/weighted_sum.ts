/** Adds the values of several reward functions to one reward per completion. @module */

/**
 * Sum of weight x value over the functions that gave a value (TRL `_calculate_rewards` with nansum); null when none did.
 *
 * values   one per reward function; null = the function does not apply
 * weights  one per reward function
 */
export function weightedSum(values: readonly (number | null)[], weights: readonly number[]): number | null {
  let sum: number | null = null;
  values.forEach((value, i) => {
    if (value !== null) sum = (sum ?? 0) + weights[i]! * value;
  });
  return sum;
}
