/** Whether and from when a run is dead, by what is known of it: held-out accuracy, its twin's, shares of its groups. @module */

/** `[train step, value]` in order. */
export type Points = readonly (readonly [step: number, value: number])[];

/** What is known of a run. */
export interface Facts {
  /** Share of held-out prompts that are solved. */
  readonly held: Points;
  /** The same of its twin. */
  readonly twin: Points;
  /** A column of its log. */
  readonly column: (name: string) => Points;
}

/** The train step from which a run is dead; null for one that lives. */
export type Died = (facts: Facts) => number | null;

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);

/** Each value the mean of itself and its neighbours up to `reach` away. */
export function smoothed(points: Points, reach: number): Points {
  return points.map(([step], i) => [step, mean(points.slice(Math.max(0, i - reach), i + reach + 1).map(([, v]) => v))]);
}

/** Mean over a part of a run, from and to as shares of its points. */
export function part(points: Points, from: number, to: number): number {
  const first = Math.min(points.length - 1, Math.round(from * points.length));
  return mean(points.slice(first, Math.max(first + 1, Math.round(to * points.length))).map(([, value]) => value));
}

/** Smoothing of a column with a value per train step. */
const REACH = 10;
const reachOf = (points: Points) => points.length > 100 ? REACH : points.length > 10 ? 1 : 0;

/** A smoothed curve; of few points the first is what it was before any step. */
const fromStart = (points: Points): Points =>
  points.length > 100
    ? smoothed(points, REACH)
    : [...points.slice(0, 1), ...smoothed(points, reachOf(points)).slice(1)];

/** The last step at which a smoothed curve is within `near` of its best: from there it falls. */
export function peak(points: Points, near: number): number {
  const curve = fromStart(points), best = Math.max(...curve.map(([, value]) => value));
  return curve.findLast(([, value]) => value >= best - near)?.[0] ?? 0;
}

/** The first step from which on a smoothed curve stays where `holds` says; null if it does not in the end. */
export function settled(points: Points, holds: (value: number) => boolean): number | null {
  const curve = smoothed(points, reachOf(points)), last = curve.findLastIndex(([, value]) => !holds(value));
  return last === curve.length - 1 ? null : curve[last + 1]![0];
}

const LAST = [0.75, 1] as const;

/** Held-out accuracy ends so far below its best. */
export const fell = (by: number, of = (facts: Facts) => facts.held): Died => (facts) => {
  const points = of(facts), best = Math.max(...fromStart(points).map(([, value]) => value));
  return best - part(points, ...LAST) < by ? null : peak(points, by / 2);
};

/** What a curve gains from its middle to its end; nothing for a column that is not there. */
const gain = (points: Points) => points.length === 0 ? 0 : part(points, 0.8, 1) - part(points, 0.4, 0.6);
/** More than this is learning, however slow. */
const RISE = 0.05;

/**
 * It ends so far behind its twin's, and no longer rises, nor does what is right in training unless that is `learnt` by
 * heart: dead from when it comes near its end.
 */
export const behind = (by: number, { learnt = false } = {}): Died => ({ held, twin, column }) => {
  const end = part(held, ...LAST);
  if (part(twin, ...LAST) - end < by || Math.max(gain(held), learnt ? 0 : gain(column("accuracy"))) > RISE) return null;
  return fromStart(held).find(([, value]) => value > end - by / 2)?.[0] ?? 0;
};

/** The first of several criteria that holds. */
export const either = (...all: readonly Died[]): Died => (facts) => {
  for (const died of all) {
    const step = died(facts);
    if (step !== null) return step;
  }
  return null;
};

/** A column is, from some step in the first `within` of the run, where `holds` says. */
export const stays = (name: string, holds: (value: number) => boolean, within = 0.7): Died => ({ column }) => {
  const points = column(name), step = settled(points, holds);
  return step === null || step > within * (points.at(-1)?.[0] ?? 0) ? null : step;
};

/** A column comes, at some step, where `holds` says: dead from there. */
export const reaches = (name: string, holds: (value: number) => boolean): Died => ({ column }) => {
  const points = column(name);
  return smoothed(points, reachOf(points)).find(([, value]) => holds(value))?.[0] ?? null;
};

/** Both criteria hold: dead from the later step. */
export const both = (one: Died, other: Died): Died => (facts) => {
  const [a, b] = [one(facts), other(facts)];
  return a === null || b === null ? null : Math.max(a, b);
};

/** The first criterion holds, which says from when, and so does the other. */
export const confirmed = (one: Died, other: Died): Died => (facts) => other(facts) === null ? null : one(facts);

/** So many values of a column are over so many times its median: dead from the first. */
export const spikes = (name: string, times: number, count: number): Died => ({ column }) => {
  const points = column(name), sorted = points.map(([, value]) => value).toSorted((a, b) => a - b);
  const level = times * (sorted[sorted.length >> 1] ?? 0), high = points.filter(([, value]) => value > level);
  return high.length < count ? null : high[0]![0];
};

/** A column ends above so many times its first tenth, and held-out accuracy as high as it began, within `near`. */
export const grewWithoutGain = (name: string, times: number, near: number): Died => ({ column, held }) => {
  const points = column(name), start = part(points, 0, 0.1);
  if (part(points, ...LAST) < times * start || Math.abs(part(held, ...LAST) - part(held, 0, 0.15)) > near) return null;
  return smoothed(points, REACH).find(([, value]) => value > start * (1 + (times - 1) / 2))![0];
};
