/**
 * What a metric does over train steps: first non-finite row, outliers, average, slope. Null values are absent.
 * @module
 */

type Series = ArrayLike<number | null>;

function present(values: Series): number[] {
  return Array.from(values).filter((value): value is number => value !== null);
}

/** Row of the first NaN or infinity, or null. */
export function firstNonFinite(values: Series): number | null {
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (typeof value === "number" && !Number.isFinite(value)) return row;
  }
  return null;
}

/** Median of the finite values, or null when there is none. */
export function median(values: Series): number | null {
  const sorted = present(values).filter(Number.isFinite).sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * How many standard deviations `value` lies from the median of `history`, by the median absolute deviation
 * (x 1.4826, equal to the standard deviation for normal values). Null for fewer than three finite values;
 * a history without spread gives 0 or an infinity.
 */
export function robustZ(value: number, history: Series): number | null {
  const finite = present(history).filter(Number.isFinite);
  if (finite.length < 3) return null;
  const centre = median(finite)!;
  const deviation = 1.4826 * median(finite.map((x) => Math.abs(x - centre)))!;
  return value === centre ? 0 : (value - centre) / deviation;
}

/** Exponential moving average: first present value, then alpha x value + (1 - alpha) x average; null rows repeat it. */
export function exponentialAverage(values: Series, alpha: number): (number | null)[] {
  if (!(alpha > 0 && alpha <= 1)) throw new RangeError(`Cannot average with alpha ${alpha}: want above 0, at most 1`);
  let average: number | null = null;
  return Array.from(values, (value) => {
    if (value !== null) average = average === null ? value : alpha * value + (1 - alpha) * average;
    return average;
  });
}

/** Least-squares slope of the finite values, per unit of `x` (row numbers by default); null for fewer than two places. */
export function slope(values: Series, x?: ArrayLike<number>): number | null {
  const points = Array.from(values, (value, row) => [x ? x[row]! : row, value] as const)
    .filter((point): point is readonly [number, number] => point[1] !== null && Number.isFinite(point[1]));
  const mean = (pick: 0 | 1) => points.reduce((sum, point) => sum + point[pick], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  let above = 0, below = 0;
  for (const [place, value] of points) {
    above += (place - meanX) * (value - meanY);
    below += (place - meanX) ** 2;
  }
  return below > 0 ? above / below : null;
}
