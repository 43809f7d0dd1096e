/**
 * Shares that a log prints in percent: read as shares, throughout or on the side of the change that is in percent. What can
 * be neither is not used. Either is said in the report.
 * @module
 */
import { TABLES } from "../../columns.ts";
import type { Skipped } from "./imported_run.ts";
import type { WideTable } from "./wide_table.ts";

const PERCENT = 100; // In a share.
const DIGITS = 2; // Decimals that a share has more.
const ROUNDED = 1.5; // No share is above this, however it was summed and rounded.
const MOST_PERCENT = 100.5; // The same in percent.
const MOSTLY = 0.5; // Share of the values in percent that lie above 1.
const FEW = 0.1; // Share of the values of a column that may be none, all others being shares.
const SIDE = 5, NEAR = 10; // Values on each side of a change at least, and those next to it that are compared.
const OFF = 2; // Times that the levels on both sides may differ besides the scale.

/** Columns whose unit says that they are shares; a share of variance may be below 0, and far below. */
const SHARES = new Set(
  Object.entries(TABLES.metrics).flatMap(([name, { unit }]) =>
    unit.startsWith("fraction of") && unit !== "fraction of variance" ? [name] : []
  ),
);
/** Those whose change of scale the view of a run finds, and tells as a finding. */
const CHANGE_TOLD = new Set(["accuracy", "preference_accuracy"]);

type Cells = (number | null)[];
/** How a column is to be read: from which record to which (exclusive) in percent, or which of its values are no shares. */
type Reading = { readonly from: number; readonly to: number } | { readonly isNone: (value: number) => boolean };

/** Brings the shares of a log to one scale, in place; returns what the report says of it. */
export function sharesOfPercent(wide: WideTable): Skipped[] {
  return [...wide.columns].flatMap(([column, cells]) => {
    const name = column.slice(column.lastIndexOf("/") + 1);
    const reading = SHARES.has(name) ? readingOf(cells, CHANGE_TOLD.has(name)) : null;
    return reading === null ? [] : [read(wide, column, reading)];
  });
}

function read(wide: WideTable, column: string, reading: Reading): Skipped {
  const cells = wide.columns.get(column)!, { names, decimals } = wide.printed.get(column)!;
  const note = (row: number, what: string, count = 1) => ({
    source: wide.sources[row]!,
    line: wide.lines[row]!,
    reason: `${names.join(", ")} ${what}`,
    count,
  });
  if ("from" in reading) {
    const { from, to } = reading, isWhole = from === 0 && to === cells.length;
    wide.columns.set(
      column,
      cells.map((value, at) => value !== null && at >= from && at < to ? value / PERCENT : value),
    );
    // Where both scales are printed, the digits of the shares are the fewer.
    if (isWhole) {
      wide.printed.set(column, {
        names,
        decimals: decimals === null ? null : decimals + DIGITS,
        factor: 1 / PERCENT,
      });
    }
    const part = from > 0
      ? ` from train step ${wide.trainSteps[from]} on`
      : ` before train step ${wide.trainSteps[to]}`;
    return note(from, `is printed in percent${isWhole ? "" : part}: read as shares`);
  }
  const isNone = (value: number | null) => value !== null && reading.isNone(value);
  const first = cells.findIndex(isNone), rest = cells.map((value) => isNone(value) ? null : value);
  if (rest.some((value) => value !== null)) wide.columns.set(column, rest);
  else for (const map of [wide.columns, wide.printed] as Map<string, unknown>[]) map.delete(column);
  return note(first, "is neither a share nor in percent: not used", cells.filter(isNone).length);
}

/** Null for a column that is a share as printed, and where the change of its scale is told elsewhere. */
function readingOf(cells: Cells, isChangeTold: boolean): Reading | null {
  // 0 is the same on both scales.
  const values = cells.filter((value) => value !== null && Number.isFinite(value) && value !== 0) as number[];
  if (!values.some((value) => value > ROUNDED)) return null;
  const whole = { from: 0, to: cells.length };
  const isFar = (value: number) => value > MOST_PERCENT, far = values.filter(isFar);
  if (far.length > 0) {
    const isRest = far.length <= FEW * values.length && values.every((value) => value <= ROUNDED || isFar(value));
    return { isNone: isRest ? isFar : () => true };
  }
  if (isChangeTold) return values.every((value) => value > 1) ? whole : null;
  const change = changeOf(cells);
  if (change !== null) return change;
  return values.filter((value) => value > 1).length > MOSTLY * values.length ? whole : { isNone: () => true };
}

/** The side in percent of a column that changes its scale once; null for any other. */
function changeOf(cells: Cells): { readonly from: number; readonly to: number } | null {
  const isAbove = (value: number | null) => value !== null && value > 1;
  const isValue = (value: number | null) => value !== null && Number.isFinite(value) && value !== 0;
  const first = cells.findIndex(isAbove), last = cells.findLastIndex(isAbove) + 1;
  const sides = [{ from: first, to: cells.length }, { from: 0, to: last }];
  return sides.find(({ from, to }) => {
    const percent = cells.slice(from, to).filter(isValue) as number[];
    const shares = [...cells.slice(0, from), ...cells.slice(to)].filter(isValue) as number[];
    if (Math.min(shares.length, percent.length) < SIDE || shares.some((value) => value > 1)) return false;
    if (percent.filter((value) => value > 1).length <= MOSTLY * percent.length) return false;
    const near = from > 0
      ? [shares.slice(-NEAR), percent.slice(0, NEAR)]
      : [shares.slice(0, NEAR), percent.slice(-NEAR)];
    const times = middle(near[1]!) / (PERCENT * middle(near[0]!));
    return times >= 1 / OFF && times <= OFF;
  }) ?? null;
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
