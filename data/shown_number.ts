/** A number as a person reads it in a table. @module */

/** Below it, what float64 leaves of sums that are 0: a mean of advantages is no -3.469e-18. */
const NOISE = 1e-12;

/** Whole numbers as they are, others with `digits` digits, what is only noise as 0. NaN and infinities by their names. */
export function shownNumber(value: number, digits = 4): string {
  if (Number.isInteger(value) || !Number.isFinite(value)) return String(value);
  return Math.abs(value) < NOISE ? "0" : String(Number(value.toPrecision(digits)));
}
