/** Rows of many completions as a few rows per train step: quantiles, bins and an even choice. @module */
import { numberGroups } from "../../data/statistics/mod.ts";
import { PHASE, type Row, STEP_AXIS } from "./chart.ts";

/** Train steps that a heat map shows as columns of their own; beyond, neighbours are drawn as one. */
export const MOST_CELLS = 60;

/** The rows of each train step, in their order. */
export function byStep(rows: readonly Row[]): [number, Row[]][] {
  const steps = Map.groupBy(rows, (row) => Number(row["train_step"]));
  return [...steps].sort(([a], [b]) => a - b);
}

/** The group of each completion of one train step, numbered from 0; without `sample` a prompt has one group. */
export function groupsOf(completions: readonly Row[]): number[] {
  const isNumbered = completions.every((row) => typeof row["sample"] === "number");
  return numberGroups(
    completions.map((row) => row["prompt_id"]),
    completions.map((row, index) => isNumbered ? row["sample"] : index),
  );
}

/** Whether a layer of areas would show nothing in some phase: it has one train step alone. */
export function hasLone(rows: readonly Row[]): boolean {
  return [...Map.groupBy(rows, (row) => row[PHASE]).values()].some((members) =>
    new Set(members.map((row) => row["train_step"])).size === 1
  );
}

/** The finite numbers of a column. */
export function numbersOf(rows: readonly Row[], column: string): number[] {
  return rows.map((row) => row[column]).filter((value): value is number => Number.isFinite(value));
}

/** The list of a cell as numbers; empty where there is none. */
export function listOf(row: Row, column: string): ArrayLike<number> {
  return (row[column] ?? []) as ArrayLike<number>;
}

/** Quantiles of numbers by linear interpolation, as numpy's default: one for each share of 0 to 1. */
export function quantilesOf<const Shares extends readonly number[]>(
  values: readonly number[],
  shares: Shares,
): { -readonly [Index in keyof Shares]: number } {
  const sorted = Float64Array.from(values).sort();
  return shares.map((share) => {
    const at = share * (sorted.length - 1), low = Math.floor(at), high = Math.ceil(at);
    return sorted[low]! + (at - low) * (sorted[high]! - sorted[low]!);
  }) as { -readonly [Index in keyof Shares]: number };
}

/** One token of a completion, as two columns of lists have it. */
interface TokenPair {
  readonly row: Row;
  /** Its place in the completion, from 0. */
  readonly token: number;
  readonly first: number;
  readonly second: number;
}

/** The tokens of rows that count (by `completion_mask`, where there is one) and are finite in both lists. */
export function tokenPairs(rows: readonly Row[], first: string, second: string): TokenPair[] {
  return rows.flatMap((row) => {
    const a = listOf(row, first), b = listOf(row, second), pairs: TokenPair[] = [];
    const mask = row["completion_mask"] as ArrayLike<number> | null | undefined;
    for (let token = 0; token < Math.min(a.length, b.length); token++) {
      if ((mask && !mask[token]) || !Number.isFinite(a[token]) || !Number.isFinite(b[token])) continue;
      pairs.push({ row, token, first: a[token]!, second: b[token]! });
    }
    return pairs;
  });
}

/** At most `most` of the values, at even distances, the first and the last among them. */
export function evenly<Value>(values: readonly Value[], most: number): readonly Value[] {
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, i) => values[Math.round(i * (values.length - 1) / (most - 1))]!);
}

/** The rows of each bin of train steps: equal bins of neighbours, at most `MOST_CELLS`; `to` is where the next begins. */
export function listedBins(rows: readonly Row[]): { from: number; to: number; members: Row[] }[] {
  const steps = byStep(rows), size = Math.ceil(steps.length / MOST_CELLS);
  const firsts = steps.filter((_, index) => index % size === 0).map(([step]) => step);
  const usual = firsts.length > 1 ? firsts.at(-1)! - firsts.at(-2)! : 1;
  return firsts.map((from, bin) => ({
    from,
    to: firsts[bin + 1] ?? from + usual,
    members: steps.slice(bin * size, (bin + 1) * size).flatMap(([, members]) => members),
  }));
}

/** The x axis of bins that begin at `from` and end at `to`. */
export const STEP_RANGE = { x: { ...STEP_AXIS, field: "from" }, x2: { field: "to" } } as const;
