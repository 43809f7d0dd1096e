/** Two runs or ranks that write into one log: each train step is there several times, with other values. @module */
import type { RawTable } from "../intake/raw_table.ts";
import { NONE } from "../intake/stage.ts";
import { cellsOf } from "./resumes.ts";

const STEPS = 8; // Train steps that are there again, and whose order is none of a resume.
const MOST = 0.8; // Share of the train steps that are there as often as most of them.
const OTHER = 0.5; // Share of those whose values differ: a line that is printed twice is one record.
const BACK = 0.5; // Steps back or repeated, per train step: a resume makes one of them.
const SERIES = 8; // More are no runs any more, but the minibatches of an update.
const ONE_WAY = 0.9; // Share of the records from which on a learning rate that never stands still is that of one run.

/** For each row the series it is of, from 0, and how many there are; null where the log is one. */
export function interleaved(table: RawTable): { readonly of: Uint8Array; readonly count: number } | null {
  const printed = table.step.every((step) => !Number.isNaN(step));
  const keys = printed ? table.step : cellsOf(table, "epoch"), byKey = Map.groupBy(keys.keys(), (row) => keys[row]!);
  if (byKey.size < STEPS || keys.some((key) => Number.isNaN(key))) return null;
  const count = Math.round(table.rows / byKey.size);
  const whole = [...byKey.values()].filter((rows) => rows.length === count);
  const back = keys.filter((key, row) => row > 0 && key <= keys[row - 1]!).length;
  // Epochs have two digits: those of a long run are the same for some records.
  if (!printed && goesOn(cellsOf(table, "learning_rate"))) return null;
  if (count < 2 || count > SERIES || whole.length < MOST * byKey.size || back < BACK * byKey.size) return null;
  const cells = metricsOf(table);
  const differs = (rows: readonly number[]) =>
    cells.some((column) => rows.some((row) => Math.abs(column[row]! - column[rows[0]!]!) > 0));
  if (whole.filter(differs).length < OTHER * whole.length) return null;
  return { of: assigned(cells, [...byKey.values()], table.rows), count };
}

/** A learning rate that rises or falls with nearly every record, and turns once at most, as a schedule does. */
function goesOn(rates: readonly number[] | Float64Array): boolean {
  const moves = Array.from(rates).slice(1).map((rate, i) => Math.sign(rate - rates[i]!));
  const turns = moves.filter((move, i) => i > 0 && move * moves[i - 1]! < 0).length;
  return turns <= 1 && moves.filter((move) => move > 0 || move < 0).length >= ONE_WAY * moves.length;
}

/** What stands still on a rank that is dead, and moves on one that is not. */
const ALIVE: readonly string[] = ["grad_norm", "reward", "loss", "policy_loss"];

/** Whether a rank tells another story than the one that counts: what moves there is one value, or never finite, here. */
export function isStuckBeside(table: RawTable, counted: RawTable): boolean {
  const values = (one: RawTable, name: string) => new Set(cellsOf(one, name).filter(Number.isFinite)).size;
  const prints = (name: string) => table.columns.some(({ info }) => info.column === name);
  return table.rows >= STEPS &&
    ALIVE.some((name) => prints(name) && values(table, name) < 2 && values(counted, name) > 2);
}

/** The cells of each metric, in parts of its range; NaN where there is none. */
function metricsOf(table: RawTable): Float64Array[] {
  return table.columns.filter(({ info }) => info.mapped && info.column !== "epoch").map((column) => {
    const cells = new Float64Array(table.rows).fill(NaN);
    let low = Infinity, high = -Infinity;
    column.rows.forEach((row, i) => {
      const value = column.values[i]!;
      if (column.decimals[i] === NONE || !Number.isFinite(value)) return;
      cells[row] = value;
      [low, high] = [Math.min(low, value), Math.max(high, value)];
    });
    return high > low ? cells.map((value) => value / (high - low)) : cells;
  });
}

/** Rows of one train step in their order; two of them the other way round where that goes on better from the ones before. */
function assigned(cells: readonly Float64Array[], steps: readonly (readonly number[])[], count: number): Uint8Array {
  const of = new Uint8Array(count);
  let last: readonly number[] = [];
  const apart = (one: number, other: number) =>
    cells.reduce((sum, column) => {
      const by = Math.abs(column[one]! - column[other]!);
      return Number.isNaN(by) ? sum : sum + by;
    }, 0);
  for (const rows of steps) {
    const [a, b] = rows, [before, beside] = last;
    const turns = rows.length === 2 && last.length === 2 &&
      apart(a!, beside!) + apart(b!, before!) < apart(a!, before!) + apart(b!, beside!);
    const inOrder = turns ? [b!, a!] : rows;
    inOrder.forEach((row, series) => of[row] = Math.min(series, SERIES - 1));
    if (rows.length > 1) last = inOrder;
  }
  return of;
}
