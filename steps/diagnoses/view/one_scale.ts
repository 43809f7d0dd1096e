/**
 * Columns of a log that change from percent to shares, or back, while the run goes on: read as shares throughout, so that no
 * rule takes the change of scale for a fall.
 * @module
 */
import { type Cells, isNumber, median } from "./numbers.ts";

const PERCENT = 100; // In a share.
const SIDE = 2, NEAR = 5; // Values on each side at least, and values next to the change that are compared.
const OFF = 2; // Times that the levels on both sides may differ besides the scale: the run goes on meanwhile.
const ROUGH = 5; // Times that their noise, as a share of the level, may differ: a collapse to a hundredth is rougher.
const SMOOTH = 0.02; // A noise below which it counts as none.
const MOST = 0.9; // Share of the values in percent that lie above 1.
const ALONG = 3; // The same as OFF for what is printed beside: deviations and ends of the rewards.

/** Where a column changes its scale. */
export interface ScaleChange {
  /** The first record of the new scale. */
  readonly record: number;
  /** Whether it was in percent before it; else it is so from there on. */
  readonly percentBefore: boolean;
}

/** Columns that can be shares, and those that are measured in their unit. */
const SHARES = /^(?:.+\/)?(?:reward(?:\..+)?|accuracy|preference_accuracy)$/;
const BESIDE = /^(?:reward_std|group_reward_std|reward_min|reward_max)(?:\..+)?$/;

/** The columns with those in shares that change their scale, and where each does. */
export function oneScale(columns: ReadonlyMap<string, Cells>) {
  const scaled = new Map(columns), changes = new Map<string, ScaleChange>();
  const take = (name: string, cells: Cells, change: ScaleChange) => {
    changes.set(name, change);
    scaled.set(name, cells.map((value, at) => value !== null && isPercent(change, at) ? value / PERCENT : value));
  };
  for (const [name, cells] of columns) {
    const change = SHARES.test(name) ? changeOf(cells) : null;
    if (change !== null) take(name, cells, change);
  }
  const [reward] = [...changes].flatMap(([name, change]) => name.startsWith("reward") ? [change] : []);
  for (const [name, cells] of reward === undefined ? [] : columns) {
    if (BESIDE.test(name) && isJump(sidesAt(cells, reward!), ALONG)) take(name, cells, reward!);
  }
  return { columns: scaled, changes };
}

/** Whether a record is on the side in percent. */
function isPercent({ record, percentBefore }: ScaleChange, at: number): boolean {
  return at < record === percentBefore;
}

/** Values in shares and in percent, each from the change outwards. */
interface Sides {
  readonly shares: readonly number[];
  readonly percent: readonly number[];
}

function sidesAt(cells: Cells, change: ScaleChange): Sides {
  const before = cells.slice(0, change.record).filter(isNumber).reverse();
  const after = cells.slice(change.record).filter(isNumber);
  return change.percentBefore ? { shares: after, percent: before } : { shares: before, percent: after };
}

function changeOf(cells: Cells): ScaleChange | null {
  const isAbove = (value: number | null) => isNumber(value) && value > 1;
  const first = cells.findIndex(isAbove), last = cells.findLastIndex(isAbove);
  if (first < 0) return null;
  const ways = [{ record: last + 1, percentBefore: true }, { record: first, percentBefore: false }];
  return ways.find((change) => {
    const sides = sidesAt(cells, change), { shares, percent } = sides;
    const fits = [...shares, ...percent].every((value) => value >= 0 && value <= PERCENT) &&
      shares.every((value) => value <= 1) && percent.filter((value) => value > 1).length >= MOST * percent.length;
    if (!fits || !isJump(sides, OFF)) return false;
    const [one, other] = [roughness(shares), roughness(percent)];
    return Math.max(one, other) <= ROUGH * Math.min(one, other);
  }) ?? null;
}

/** The levels next to the change are a hundred times each other, as far as `off` allows. */
function isJump({ shares, percent }: Sides, off: number): boolean {
  const times = median(percent.slice(0, NEAR)) / (PERCENT * median(shares.slice(0, NEAR)));
  return Math.min(shares.length, percent.length) >= SIDE && times >= 1 / off && times <= off;
}

/** The usual difference of neighbours as a share of the level. */
function roughness(values: readonly number[]): number {
  const steps = values.slice(1).map((value, i) => Math.abs(value - values[i]!));
  return Math.max(SMOOTH, median(steps) / median(values));
}

/** What evidence says of a cell of such a column. */
export const inPercent = (change: ScaleChange | undefined, record: number): readonly string[] =>
  change !== undefined && isPercent(change, record) ? ["printed in percent"] : [];
