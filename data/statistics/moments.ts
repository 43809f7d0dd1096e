/** Mean, spread and extremes of numbers some of which are missing. @module */

/** Statistics of the values that are there. */
export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** Standard deviation with Bessel's correction; 0 when all values are equal, NaN for fewer than two. */
  readonly std: number;
  /** Largest minus smallest, 0 for none. */
  readonly spread: number;
}

/** Two passes in float64; equal values give their value as mean and exactly 0 as std, not rounding noise. */
export function moments(values: readonly (number | null | undefined)[]): Moments {
  let count = 0, low = Infinity, high = -Infinity, sum = 0;
  for (const value of values) {
    if (value === null || value === undefined) continue;
    count++;
    low = Math.min(low, value);
    high = Math.max(high, value);
    sum += value;
  }
  if (count === 0) return { count, mean: NaN, std: NaN, spread: 0 };
  const mean = low === high ? low : sum / count;
  let squares = 0;
  for (const value of values) if (value !== null && value !== undefined) squares += (value - mean) ** 2;
  return { count, mean, std: count < 2 ? NaN : Math.sqrt(squares / (count - 1)), spread: high - low };
}
