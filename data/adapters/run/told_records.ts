/**
 * Numbers that people tell in prose, as records: rules read a course, and "stays at 0 for 300 steps" is one.
 *
 * A number that holds throughout stands on every record of its span, any other one on the record that it is told of. Of a
 * course the first number stands on the first half of its span and the last one on the rest: no cell holds a number that
 * nobody told, and no mean of a few cells either. What
 * a log prints goes before what is told: a column that it prints takes nothing, and a course that it prints gets no records
 * that stand for another. @module
 */
import type { PrintedColumn, ToldPlace } from "../../run_rows.ts";
import { nameInfo } from "../intake/name_info.ts";
import { ALL_DIGITS } from "../intake/stage.ts";
import type { Claim, ToldValue } from "../post/said.ts";
import { SUBJECTS } from "../post/words/subjects.ts";
import type { WideTable } from "./wide_table.ts";

/** Records that stand for a course that is told: as many as most rules ask for, and a few more. */
export const TOLD_RECORDS = 12;
/** Printed records beside which nothing that is told counts: they are a course themselves. */
export const ENOUGH = 10;
const COURSE = 3; // Printed records that are a course.

type Placed<T> = T & { readonly source: string };

/** A number of a column, on a part of the course. */
interface Told extends Omit<ToldValue, "name" | "relation"> {
  readonly source: string;
  readonly column: string;
  readonly relation: ToldValue["relation"];
  /** Which of several numbers without a train step it is, from 0. */
  readonly place?: number;
}

/** The cells that are told, by column and record. */
type ToldPlaces = ReadonlyMap<string, ReadonlyMap<number, ToldPlace>>;

/** A cell that something told fills, with the train step that is told of it. */
interface Cell extends Pick<ToldPlace, "trainStep" | "isPoint"> {
  readonly record: number;
  readonly value: number;
}

interface WithTold {
  readonly metrics: WideTable;
  readonly places: ToldPlaces;
  /** What is told and does not count, one line each. */
  readonly left: readonly { readonly source: string; readonly line: number; readonly reason: string }[];
}

/** Adds what is told to what is printed. */
export function withTold(
  printed: WideTable,
  values: readonly Placed<ToldValue>[],
  claims: readonly Placed<Claim>[],
  evaluated = false,
): WithTold {
  const all = inOrder([...values.flatMap((value) => columnOf(value, evaluated)), ...claims.flatMap(fromClaim)]);
  const none = { metrics: printed, places: new Map(), left: [] };
  if (all.length === 0) return none;
  if (printed.rows >= ENOUGH) {
    const { source, line } = all[0]!;
    const reason = `${all.length} number${all.length > 1 ? "s" : ""} told in prose, beside ${printed.rows} records`;
    return { ...none, left: [{ source, line, reason }] };
  }
  const left = all.filter((told) => contradicts(printed, told)).map((
    { source, line, printed: name, values: [value] },
  ) => ({
    source,
    line,
    reason: `${name} is told to be ${value}, and is printed otherwise`,
  }));
  const told = all.filter((one) => !isPrinted(printed, one) && !isOfNoRecord(printed, one));
  return told.length === 0 ? { ...none, left } : { ...joined(printed, told), left };
}

/** Several numbers of a column in one line, without a train step, are one after the other. */
function inOrder(all: readonly Told[]): Told[] {
  const seen = new Map<string, number>();
  const tellsFirst = all.some(({ from, to }) => from === 1 && to === 1);
  return all.map((told) => {
    if (told.throughout || told.from !== null || told.to !== null || told.atEnd || told.relation !== "is") return told;
    // What it began with is told apart: anything else came later.
    if (tellsFirst) return { ...told, atEnd: true as const };
    const key = `${told.column} ${told.source} ${told.line}`, place = seen.get(key) ?? 0;
    seen.set(key, place + 1);
    return { ...told, place };
  });
}

function columnOf({ name, ...told }: Placed<ToldValue>, evaluated: boolean): Told[] {
  const info = nameInfo(name);
  return info.isEval !== evaluated
    ? []
    : [{ ...told, column: info.column, values: told.values.map((value) => value * info.mul) }];
}

/** "Zero" is a number as well. */
function fromClaim({ subject, predicate, elsewhere, by, value, ...said }: Placed<Claim>): Told[] {
  const { column } = SUBJECTS[subject];
  if (column === null || elsewhere || by !== "author" || value !== null) return [];
  // A NaN that somebody tells of stays a claim: around it nothing is told.
  return predicate !== "zero"
    ? []
    : [{ ...said, column, printed: subject, values: [0], relation: "is", decimals: ALL_DIGITS }];
}

/**
 * True of what is told of a column that is printed: the numbers of a series are printed ones, or told ones. One or two
 * records stand for more where they print just what is told of the whole run.
 */
function isPrinted({ columns, rows }: WideTable, { column, values, relation, throughout }: Told): boolean {
  const known = (columns.get(column) ?? []).filter((value) => value !== null);
  const isSame = throughout && relation === "is" && known.every((value) => Object.is(value, values[0]));
  return known.length > 0 && !(rows < COURSE && isSame);
}

/** True of a number of a train step beside records that print none: which of them it is of nobody can say. */
function isOfNoRecord({ rows, stepsPrinted }: WideTable, { from, to, throughout }: Told): boolean {
  return rows > 0 && !stepsPrinted && !throughout && (from ?? to ?? 1) > 1;
}

/** True if what is told to hold throughout is printed with another value. */
function contradicts({ columns, rows }: WideTable, { column, values, relation, throughout }: Told): boolean {
  if (!throughout || relation !== "is" || rows === 0) return false;
  const known = (columns.get(column) ?? []).filter((value) => value !== null);
  return known.length > 0 &&
    known.every((value) => !Object.is(value, values[0]) && Math.abs(value - values[0]!) > 1e-3);
}

function joined(printed: WideTable, told: readonly Told[]): Omit<WithTold, "left"> {
  const { steps, isNumbered } = gridOf(printed, told), rows = steps.length;
  const at = new Map(steps.map((step, record) => [step, record]));
  const rowOf = printed.trainSteps.map((step) => at.get(step)!);
  const [{ source, line }] = told as [Told];
  const sources = new Array<string>(rows).fill(source), lines = new Array<number>(rows).fill(line);
  rowOf.forEach((record, row) => [sources[record], lines[record]] = [printed.sources[row]!, printed.lines[row]!]);
  const columns = new Map<string, (number | null)[]>(), names = new Map<string, PrintedColumn>(printed.printed);
  for (const [name, cells] of printed.columns) {
    const wide = new Array<number | null>(rows).fill(null);
    cells.forEach((value, row) => wide[rowOf[row]!] = value);
    columns.set(name, wide);
  }
  const places = new Map<string, Map<number, ToldPlace>>();
  for (const one of told) {
    const cells = columns.get(one.column) ?? new Array<number | null>(rows).fill(null);
    columns.set(one.column, cells);
    if (!names.has(one.column)) {
      names.set(one.column, { names: [one.printed], decimals: one.decimals > 0 ? one.decimals : null });
    }
    const own = places.get(one.column) ?? new Map<number, ToldPlace>();
    places.set(one.column, own);
    const isDrawn = printed.columns.get(one.column)?.some((value) => value !== null) !== true;
    for (const { record, value, trainStep, isPoint } of cellsOf(one, steps)) {
      if (cells[record] !== null) continue;
      cells[record] = value;
      own.set(record, { source: one.source, line: one.line, trainStep, isPoint: isPoint && isDrawn });
    }
  }
  return {
    metrics: { ...printed, rows, trainSteps: steps, stepsPrinted: isNumbered, sources, lines, columns, printed: names },
    places,
  };
}

/** The train steps of the records: those that are printed or told, and between them as many as stand for a course. */
function gridOf(printed: WideTable, told: readonly Told[]): { readonly steps: number[]; readonly isNumbered: boolean } {
  const named = told.flatMap(({ from, to }) => [from, to]).filter((step) => step !== null);
  const known = [...(printed.rows > 0 ? printed.trainSteps : []), ...named];
  const isCourse = told.some(({ throughout, relation, from, to, atEnd, place = 0 }) =>
    throughout || atEnd === true || relation !== "is" || from !== null && to !== null && from !== to || place > 0
  );
  if (printed.rows >= COURSE) return { steps: withNamed(printed, named), isNumbered: printed.stepsPrinted };
  const isNumbered = named.length > 0 && (printed.rows === 0 || printed.stepsPrinted);
  // A course of which only the end is named begins at the first train step.
  const isOpen = new Set(named).size < 2 || told.some(({ relation, from }) => relation === "course" && from === null);
  const first = known.length > 0 ? Math.min(...known, ...(isCourse && isOpen ? [1] : [])) : 1;
  const last = known.length > 0 ? Math.max(...known) : 1;
  const all = new Set(known.length > 0 ? known : [1]);
  const longest = Math.max(TOLD_RECORDS, ...told.map(({ values }) => values.length));
  if (isCourse) {
    const end = last - first >= longest - 1 ? last : first + longest - 1;
    for (let i = 0; i < longest && all.size < longest; i++) {
      all.add(first + Math.round((i * (end - first)) / (longest - 1)));
    }
  }
  return { steps: [...all].sort((a, b) => a - b), isNumbered };
}

/** The train steps of a course that is printed, and those beside them that are told of a column that it does not print. */
function withNamed({ trainSteps, stepsPrinted }: WideTable, named: readonly number[]): number[] {
  return [...new Set([...trainSteps, ...stepsPrinted ? named : []])].sort((a, b) => a - b);
}

/** The cells that something told fills: those that were told, and those that stand for more of the same. */
function cellsOf(told: Told, steps: readonly number[]): Cell[] {
  const { relation, throughout, from, to } = told, first = from ?? steps[0]!, last = to ?? steps.at(-1)!;
  const span = steps.flatMap((step, record) => step >= first && step <= last ? [record] : []);
  const stepAt = (record: number) => [from, to].find((step) => step === steps[record]) ?? null;
  const cell = (record: number, value: number, isPoint = true): Cell => ({
    record,
    value,
    trainStep: stepAt(record),
    isPoint,
  });
  const isEnd = (i: number) => i === 0 || i === span.length - 1;
  const [a, b = a] = told.values as [number, number?];
  // What lies between two numbers is at neither at any time that is told.
  if (relation === "between") return span.map((record, i) => cell(record, i % 2 === 0 || isEnd(i) ? a : b, false));
  if (relation === "series") {
    const last = Math.max(1, told.values.length - 1);
    return told.values.map((value, i) => cell(span[Math.round((i * (span.length - 1)) / last)] ?? 0, value));
  }
  if (relation === "course") {
    return span.map((record, i) => cell(record, i < Math.floor(span.length / 2) ? a : b, isEnd(i)));
  }
  if (throughout || Number.isNaN(a)) return span.map((record, i) => cell(record, a, isEnd(i)));
  const record = recordOf(told, steps);
  return record < 0 ? [] : [cell(record, a)];
}

/** The record of one number; negative where there is none. */
function recordOf({ from, to, atEnd, place }: Told, steps: readonly number[]): number {
  if (atEnd) return steps.length - 1;
  return from === null && to === null && place !== undefined
    ? Math.min(place, steps.length - 1)
    : steps.findIndex((step) => step >= (to ?? from ?? steps[0]!));
}

/** Evaluations that are told and have no train steps, evenly over the records: both stand for one course. */
export function overRecords(told: WideTable, { trainSteps }: WideTable): WideTable {
  if (trainSteps.length === 0) return told;
  const last = Math.max(1, told.rows - 1);
  return {
    ...told,
    trainSteps: told.trainSteps.map((_, i) => trainSteps[Math.round((i * (trainSteps.length - 1)) / last)]!),
  };
}

/** The cells that are told under the names that their columns have now: `before` is what they were called. */
export function renamedPlaces(
  places: ToldPlaces,
  before: ReadonlyMap<string, unknown>,
  { columns }: WideTable,
): ToldPlaces {
  const names = new Map([...before].map(([name, cells]) => [cells, name]));
  return new Map([...columns].flatMap(([name, cells]) => {
    const told = places.get(names.get(cells) ?? "");
    return told === undefined ? [] : [[name, told] as const];
  }));
}
