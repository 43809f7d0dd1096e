/** Small statistics over cells that may be absent or NaN. @module */
import { moments, nth } from "../../../data/statistics/mod.ts";

/** A column of a view, one cell per record: null = absent, NaN = a computed NaN. */
export type Cells = readonly (number | null)[];

/** What should be 0 and was summed in float32 may print as this. */
export const ROUNDING = 1e-6;
/** Records whose median is where a run stands: one batch says little. */
export const LATE = 5;
/** Records that say the same thing and are no accident. */
export const AGREEING_RECORDS = 3;
/** Printed completions from which a share of them says something. */
export const TELLING_COMPLETIONS = 4;
/** Fewer values than this have no trend: a quarter of them is one or none. */
export const TREND_VALUES = 8;
const LINE = 3; // A line through two points has no error.
const DIGITS = 4; // Significant digits in a message.

/** The finite values, in order. */
export function finiteOf(cells: Cells): number[] {
  return cells.filter((value): value is number => value !== null && Number.isFinite(value));
}

/** Records with a finite value, in order. */
export function recordsOf(cells: Cells): number[] {
  const records: number[] = [];
  cells.forEach((value, record) => isNumber(value) && records.push(record));
  return records;
}

export function isNumber(value: number | null | undefined): value is number {
  return value !== null && value !== undefined && Number.isFinite(value);
}

/** True for a computed NaN or an infinity; false for an absent value. */
export function isNonFinite(value: number | null | undefined): boolean {
  return value !== null && value !== undefined && !Number.isFinite(value);
}

/** NaN for no value. */
export function mean(values: readonly number[]): number {
  return moments(values).mean;
}

export function median(values: readonly number[]): number {
  if (values.length === 0) return NaN;
  const moved = copied(values), { length } = values, middle = length >> 1, upper = nth(moved, middle, length);
  return length % 2 === 1 ? upper : greatest(moved, middle) / 2 + upper / 2;
}

/** Where the values of windows are moved: thousands of them are asked for. */
const FEW = new Float64Array(64);

/** The values at the beginning of what may be written to. */
function copied(values: readonly number[]): Float64Array {
  if (values.length > FEW.length) return new Float64Array(values);
  for (let at = 0; at < values.length; at++) FEW[at] = values[at]!;
  return FEW;
}

/** Of the first values; one that is NaN stands behind all others. */
function greatest(values: Float64Array, count: number): number {
  let most = values[0]!;
  for (let at = 1; at < count; at++) if (!(values[at]! <= most)) most = values[at]!;
  return most;
}

/** Sample standard deviation (Bessel); 0 for fewer than two values. */
export function deviation(values: readonly number[]): number {
  return values.length < 2 ? 0 : moments(values).std;
}

/** The first and the last quarter of the values, at least `least` each. */
export function ends(values: readonly number[], least = 1): { first: number[]; last: number[] } {
  const count = Math.max(least, Math.floor(values.length / 4));
  return { first: values.slice(0, count), last: values.slice(-count) };
}

/** How far the last quarter lies from the first, and the standard error of that difference. */
export function change(values: readonly number[]): { from: number; to: number; by: number; error: number } {
  const { first, last } = ends(values);
  const error = Math.sqrt((deviation(first) ** 2) / first.length + (deviation(last) ** 2) / last.length);
  const [from, to] = [mean(first), mean(last)];
  return { from, to, by: to - from, error };
}

/** The same, or no change where values are too few for a trend. */
export function gain(values: readonly number[]): { by: number; error: number } {
  return values.length >= TREND_VALUES ? change(values) : { by: 0, error: 0 };
}

/** Slope of a least-squares line over the index, in units of its standard error; 0 for fewer than three values. */
export function trendScore(values: readonly number[]): number {
  const count = values.length;
  if (count < LINE) return 0;
  const [middle, centre] = [(count - 1) / 2, mean(values)];
  let [sxx, sxy] = [0, 0];
  values.forEach((value, index) => {
    sxx += (index - middle) ** 2;
    sxy += (index - middle) * (value - centre);
  });
  const slope = sxy / sxx;
  const residual = values.reduce((sum, value, index) => sum + (value - centre - slope * (index - middle)) ** 2, 0);
  const error = Math.sqrt(residual / (count - 2) / sxx);
  return error === 0 ? (slope === 0 ? 0 : Math.sign(slope) * Infinity) : slope / error;
}

/** A value in a message. */
export function show(value: number | null | undefined): string {
  if (value === null || value === undefined) return "absent";
  if (!Number.isFinite(value)) return String(value);
  return String(Number(value.toPrecision(DIGITS)));
}

const EXACT = 1e-9; // What summing leaves of a share that is all.
const WHOLE = 100, HUNDREDTHS = 100; // Percent that are all; parts of one that are shown.

/** A share in percent; "100 %" is all, so that what is nearly all never reads so. */
export function percent(share: number): string {
  const value = 100 * share, shown = show(value);
  const isNearlyAll = share > 0.5 && share < 1 - EXACT && Number(shown) === WHOLE;
  return `${isNearlyAll ? Math.floor(value * HUNDREDTHS) / HUNDREDTHS : shown} %`;
}

const SMALL = 1e-3; // Below this a person writes 1e-4.
const plain = (value: number) => value !== 0 && Math.abs(value) < SMALL ? value.toExponential() : show(value);

/** A decision's text with its constants as a person writes them: shares as the percent that stand behind them. */
export function written(texts: TemplateStringsArray, ...constants: readonly (number | string)[]): string {
  const shown = constants.map((value, i) =>
    typeof value === "string" ? value : texts[i + 1]!.startsWith(" %") ? show(100 * value) : plain(value)
  );
  return String.raw({ raw: texts }, ...shown);
}
