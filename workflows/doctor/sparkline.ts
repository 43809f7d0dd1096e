/** A metric as one line of block characters. @module */
import type { Series } from "./examined.ts";

const BLOCKS = "▁▂▃▄▅▆▇█";
/** A series with values in at most this share of the characters is drawn as points: between them nothing was measured. */
const POINTS = 0.5;

/** Share of all that values span in which four fifths of them lie, at most, where the others are spikes: of noise it is 0.4. */
const SPIKY = 0.25;
/** Share of the variance that means of characters explain where values have a course: of noise, spikes among it, it is 0. */
const COURSE = 0.5;

/** The train steps that lines share, so that what stands below each other happened at once. */
interface Span {
  readonly from: number;
  readonly to: number;
  /** Characters. */
  readonly columns: number;
}

/** What some series span together, in at most `width` characters, a record in each. */
export function spanOf(series: readonly Pick<Series, "trainSteps">[], width: number): Span {
  let from = Infinity, to = -Infinity, most = 0;
  for (const { trainSteps } of series) {
    most = Math.max(most, trainSteps.length);
    for (const step of trainSteps) {
      from = Math.min(from, step);
      to = Math.max(to, step);
    }
  }
  return { from, to, columns: Math.max(1, Math.min(width, most)) };
}

/** Column of the character that holds a train step. */
export function columnAt(step: number, { from, to, columns }: Span): number {
  const at = Math.floor((step - from) * columns / (to - from + 1));
  return Math.min(columns - 1, Math.max(0, at));
}

/**
 * The values over the train steps of `span`: each character is the mean of its share. A share with a NaN is "×", one
 * whose records have no value " "; one without a record goes on as the one before, unless the series has few values.
 * Extremes are clipped to the 1st and 99th percentile, so that one spike does not flatten the rest; where spikes or a few
 * values are all that is not like the others, each character is instead the value of its share furthest from the median.
 */
export function sparkline(series: Pick<Series, "trainSteps" | "values">, span: Span): string {
  const isOfSpikes = isSpiky(series.values) && !hasCourse(series, span);
  return drawn(series, span, isOfSpikes ? extremeBlocks : blocks);
}

/** True if a line goes up or down, or shows a NaN: else it tells nothing. */
export function tells(line: string): boolean {
  return relief(line) > 0;
}

/** Heights between the lowest and the highest character of a line; a NaN is more than all. */
function relief(line: string): number {
  const heights = [...line].filter((character) => character !== " ").map((character) => BLOCKS.indexOf(character));
  return heights.includes(-1) ? Infinity : Math.max(...heights) - Math.min(...heights);
}

const sorted = (values: readonly (number | null)[]) =>
  Float64Array.from(values.filter((value): value is number => value !== null && Number.isFinite(value))).sort();

/** True if nearly all values lie near each other and a few far away. */
function isSpiky(values: readonly (number | null)[]): boolean {
  const finite = sorted(values), last = finite.length - 1;
  if (last < 0) return false;
  return finite[Math.ceil(0.9 * last)]! - finite[Math.floor(0.1 * last)]! <= SPIKY * (finite[last]! - finite[0]!);
}

/** The values that each character stands for. */
function sharesOf({ trainSteps, values }: Pick<Series, "trainSteps" | "values">, span: Span): (number | null)[][] {
  const shares: (number | null)[][] = Array.from({ length: span.columns }, () => []);
  values.forEach((value, record) => shares[columnAt(trainSteps[record]!, span)]!.push(value));
  return shares;
}

/** True if the clipped values differ from character to character rather than within: one spike takes no course away. */
function hasCourse(series: Pick<Series, "trainSteps" | "values">, span: Span): boolean {
  const [low, high] = clippedTo(sorted(series.values));
  const shares = sharesOf(series, span)
    .map((share) =>
      share.flatMap((value) => value !== null && Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : [])
    ).filter((share) => share.length > 0);
  const all = shares.flat(), free = all.length - shares.length;
  // A character per value shows every one.
  if (free === 0) return true;
  const within = shares.reduce((sum, share) => sum + squares(share), 0) / free;
  return within < (1 - COURSE) * squares(all) / (all.length - 1);
}

/** Sum of the squared distances from the mean. */
function squares(values: readonly number[]): number {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

/** The extremes to which a line of means is clipped. */
const clippedTo = (finite: Float64Array): readonly [low: number, high: number] => [
  finite[Math.floor(0.01 * (finite.length - 1))] ?? 0,
  finite[Math.ceil(0.99 * (finite.length - 1))] ?? 0,
];

function drawn(
  series: Pick<Series, "trainSteps" | "values">,
  span: Span,
  blocks: (values: readonly (number | null)[]) => (share: readonly number[]) => string,
): string {
  const { values } = series, shares = sharesOf(series, span);
  const blockOf = blocks(values), measured = shares.filter((share) => share.some((value) => value !== null)).length;
  const isFew = measured <= POINTS * span.columns;
  let out = "";
  for (const share of shares) {
    const numbers = share.filter((value) => value !== null);
    if (numbers.length > 0) out += blockOf(numbers);
    else out += share.length > 0 || isFew ? " " : out.at(-1) ?? " ";
  }
  return out;
}

/** Where a value lies between two others; of halves, as what is between the largest numbers is no number. */
const shareOf = (value: number, low: number, high: number) => (value / 2 - low / 2) / (high / 2 - low / 2);

/** The character of some values, by the extremes of all. */
function blocks(values: readonly (number | null)[]): (share: readonly number[]) => string {
  const [low, high] = clippedTo(sorted(values));
  return (share) => {
    if (share.some((value) => !Number.isFinite(value))) return "×";
    const mean = share.reduce((sum, value) => sum + value / share.length, 0);
    const level = high > low ? shareOf(Math.min(high, Math.max(low, mean)), low, high) : high === 0 ? 0 : 0.5;
    return BLOCKS[Math.min(7, Math.floor(level * 8))]!;
  };
}

/** The same by the value of a share that is furthest from the median of all, between the smallest and the largest. */
function extremeBlocks(values: readonly (number | null)[]): (share: readonly number[]) => string {
  const finite = sorted(values);
  const [low, high, middle] = [finite[0] ?? 0, finite.at(-1) ?? 0, finite[Math.floor(finite.length / 2)] ?? 0];
  return (share) => {
    if (share.some((value) => !Number.isFinite(value))) return "×";
    const far = share.reduce((a, b) => Math.abs(b - middle) > Math.abs(a - middle) ? b : a);
    return BLOCKS[high > low ? Math.min(7, Math.floor(8 * shareOf(far, low, high))) : 0]!;
  };
}
