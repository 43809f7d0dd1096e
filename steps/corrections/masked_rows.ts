/** Sums and means over the tokens of rows that count, as verl takes them. @module */

/** Numbers per token of each completion [B][T]; completions may differ in length. */
export type Rows = readonly ArrayLike<number>[];

/** Added to every count (verl `torch_functional.masked_mean`): no token gives 0, not NaN. */
const COUNT_EPS = 1e-8;

/** Sum over the tokens with mask 1; what stands on the others is not looked at. */
export function maskedSum(row: ArrayLike<number>, mask: ArrayLike<number>): number {
  let sum = 0;
  for (let t = 0; t < mask.length; t++) if (mask[t]) sum += row[t]!;
  return sum;
}

/** Tokens with mask 1. */
export function tokenCount(mask: ArrayLike<number>): number {
  let count = 0;
  for (let t = 0; t < mask.length; t++) if (mask[t]) count++;
  return count;
}

/** Mean over a completion's tokens with mask 1; 0 where there is none. */
export function rowMean(row: ArrayLike<number>, mask: ArrayLike<number>): number {
  return maskedSum(row, mask) / (tokenCount(mask) + COUNT_EPS);
}

/** Mean over all tokens with mask 1, every token the same. */
export function tokenMean(rows: Rows, mask: Rows): number {
  let sum = 0, count = 0;
  rows.forEach((row, i) => {
    sum += maskedSum(row, mask[i]!);
    count += tokenCount(mask[i]!);
  });
  return sum / (count + COUNT_EPS);
}

/** The values of tokens with mask 1, row by row. */
export function countedValues(rows: Rows, mask: Rows): number[] {
  return rows.flatMap((row, i) => Array.from(row).filter((_, t) => mask[i]![t]));
}

/** A function of every token. */
export function mapRows(rows: Rows, of: (value: number, row: number, token: number) => number): Float64Array[] {
  return rows.map((row, i) => Float64Array.from(row, (value, t) => of(value, i, t)));
}

/** Plain mean of numbers; NaN for none. */
export const meanOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** Standard deviation with Bessel's correction; 0 for one number or none. */
export function stdOf(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/** √(E[x²] − E[x]²) over the tokens that count, never of a negative number; 0 for one token or none. */
export function tokenStd(rows: Rows, mask: Rows): number {
  if (mask.reduce((sum, row) => sum + tokenCount(row), 0) <= 1) return 0;
  const mean = tokenMean(rows, mask);
  return Math.sqrt(Math.max(tokenMean(mapRows(rows, (value) => value * value), mask) - mean * mean, 0));
}

/** The share of numbers that `holds` of; 0 for none. */
export const shareOf = (values: readonly number[], holds: (value: number) => boolean) =>
  values.length ? values.filter(holds).length / values.length : 0;

/** Largest and smallest of the numbers: -Infinity and Infinity for none, NaN where one is. */
export const largest = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), -Infinity);
export const smallest = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Infinity);

export const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
