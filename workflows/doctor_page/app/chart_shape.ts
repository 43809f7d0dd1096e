/** What is drawn of a series, in numbers: places on a card, ticks, a median where there are many values. @module */

/** As charts of runs have it: a few values are points, more have the median of 9 around each. */
const FEW = 20, AROUND = 4;
const TICKS = 4;
/** Points of a bold line. */
const MOST = 1000;

/** First and last train step of all charts that stand together. */
export type Span = readonly [from: number, to: number];

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly step: number;
  readonly value: number;
  /** People tell it; it is printed nowhere. */
  readonly told: boolean;
}

interface Tick {
  readonly at: number;
  readonly label: string;
}

export interface ChartShape {
  readonly points: readonly Point[];
  /** Ways of the lines, as SVG writes them; `median` is empty for few values. */
  readonly line: string;
  readonly median: string;
  readonly few: boolean;
  /** Where printed values are not finite, and where those are that are told. */
  readonly broken: readonly number[];
  readonly brokenTold: readonly number[];
  readonly x: readonly Tick[];
  readonly y: readonly Tick[];
  /** Where the onset is; null where none is within the span. */
  readonly mark: number | null;
}

interface Drawn {
  readonly trainSteps: readonly number[];
  readonly values: readonly (number | null)[];
  readonly mark: number | null;
  readonly told?: readonly boolean[];
}

/** The train steps of all series. */
export function spanOf(series: readonly Pick<Drawn, "trainSteps">[]): Span {
  let from = Infinity, to = -Infinity;
  for (const { trainSteps } of series) {
    for (const step of trainSteps) [from, to] = [Math.min(from, step), Math.max(to, step)];
  }
  return from > to ? [0, 1] : [from, to];
}

/** A series in a frame of `width` by `height`, whose upper left corner is 0, 0. */
export function chartShape(
  { trainSteps, values, mark, told = [] }: Drawn,
  span: Span,
  width: number,
  height: number,
): ChartShape {
  const finite = values.filter((value): value is number => value !== null && Number.isFinite(value));
  // What has no number has no axis of numbers.
  const y = finite.length === 0 ? [] : ticksOf(...room(finite)), low = y[0] ?? 0, high = y.at(-1) ?? 1;
  const [from, to] = span, across = to > from ? width / (to - from) : 0;
  const placeX = (step: number) => to > from ? (step - from) * across : width / 2;
  const placeY = (value: number) => high > low ? height - (value - low) / (high - low) * height : height / 2;
  const points: Point[] = [], broken: number[] = [], brokenTold: number[] = [];
  trainSteps.forEach((step, i) => {
    const value = values[i] ?? null;
    if (value === null) return;
    if (Number.isFinite(value)) {
      points.push({ x: placeX(step), y: placeY(value), step, value, told: told[i] ?? false });
    } else (told[i] ? brokenTold : broken).push(placeX(step));
  });
  const few = points.length <= FEW, label = labels(y);
  return {
    points,
    line: way(outline(points)),
    median: few ? "" : way(medians(points)),
    few,
    broken,
    brokenTold,
    x: ticksOf(from, to).filter((step) => step >= from && step <= to && Number.isInteger(step))
      .map((step) => ({ at: placeX(step), label: String(step) })),
    y: y.map((value) => ({ at: placeY(value), label: label(value) })),
    mark: mark === null || mark < from || mark > to ? null : placeX(mark),
  };
}

/** Low and high, with room around what is constant. */
function room(values: readonly number[]): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low < high) return [low, high];
  const around = Math.abs(low) / 2 || 1;
  return [low - around, high + around];
}

/** Round numbers, evenly apart, from at most `low` to at least `high`. */
export function ticksOf(low: number, high: number): number[] {
  if (!(high > low)) return [low];
  const raw = (high - low) / TICKS, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((size) => size >= raw * 0.999)!;
  const first = Math.floor(low / step + 1e-9), last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** All ticks of an axis in one way of writing. */
function labels(ticks: readonly number[]): (value: number) => string {
  const most = Math.max(...ticks.map(Math.abs));
  const step = Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0));
  if (most >= 1e6 || (most > 0 && step < 1e-5)) {
    const written = (digits: number) => (value: number) =>
      value === 0 ? "0" : value.toExponential(digits).replace(/\.0+e/, "e").replace("e+", "e");
    const digits = [1, 2, 3].find((few) => new Set(ticks.map(written(few))).size === ticks.length);
    return written(digits ?? 4);
  }
  return (value) => String(Number(value.toPrecision(6)));
}

function way(points: readonly { readonly x: number; readonly y: number }[]): string {
  return points.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)},${y.toFixed(1)}`).join("");
}

/** Points that look the same: of those above each other the first, the lowest, the highest and the last. */
function outline(points: readonly Point[]): readonly Point[] {
  const columns = Map.groupBy(points, ({ x }) => Math.round(x));
  if (columns.size * 4 >= points.length) return points;
  return [...columns.values()].flatMap((column) => {
    const low = column.reduce((a, b) => b.y > a.y ? b : a), high = column.reduce((a, b) => b.y < a.y ? b : a);
    return [column[0]!, low, high, column.at(-1)!].sort((a, b) => a.x - b.x);
  });
}

/** The median around each point; of very many, around some of them. */
function medians(points: readonly Point[]): { x: number; y: number }[] {
  const every = Math.ceil(points.length / MOST);
  return points.flatMap(({ x }, i) => i % every === 0 ? [{ x, y: medianOf(points, i) }] : []);
}

function medianOf(points: readonly Point[], at: number): number {
  const near = points.slice(Math.max(0, at - AROUND), at + AROUND + 1).map(({ y }) => y).sort((a, b) => a - b);
  const middle = near.length >> 1;
  return near.length % 2 === 1 ? near[middle]! : (near[middle - 1]! + near[middle]!) / 2;
}
