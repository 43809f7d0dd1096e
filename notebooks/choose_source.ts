/** Decides from which table of a run a chart is drawn, and says which columns are missing. @module */
import { type Column, TABLES } from "../data/columns.ts";
import type { Chart, ChartTables, Row, Source } from "./charts/chart.ts";

/** A source with the rows it is drawn from and the columns that have a value in them. */
interface Chosen {
  readonly source: Source;
  /** As drawn: made from the table's rows. */
  readonly rows: readonly Row[];
  readonly measured: ReadonlySet<string>;
}

/** A source that covers fewer train steps than this share of another's gives way to it: the last steps are not the run. */
const COVERED = 0.5;

/**
 * The source that a chart is drawn from: the first one that has its columns and covers the run as the widest does.
 * Null where the run has none of the columns. It is worked out once per tables, which must not change afterwards.
 */
export function chooseSource(chart: Chart, tables: ChartTables): Chosen | null {
  const known = CHOSEN.get(tables) ?? new Map<Chart, Chosen | null>();
  CHOSEN.set(tables, known);
  if (!known.has(chart)) known.set(chart, choose(chart, tables));
  return known.get(chart)!;
}

/** What was chosen for tables that are still held: a page asks for each chart five times, and rows are made of every completion. */
const CHOSEN = new WeakMap<ChartTables, Map<Chart, Chosen | null>>();

function choose(chart: Chart, tables: ChartTables): Chosen | null {
  const possible = chart.sources.flatMap((source) => {
    const given = tables[source.reads] ?? [];
    const measured = measuredColumns(source, given);
    if (measured === null) return [];
    const rows = source.rows ? source.rows(given, tables) : rowsWithValue(given, measured);
    if (rows.length === 0) return [];
    return [{ source, rows, measured, steps: new Set(rows.map((row) => row["train_step"])).size }];
  });
  const widest = Math.max(0, ...possible.map(({ steps }) => steps));
  return possible.find(({ steps }) => steps >= COVERED * widest) ?? null;
}

/** Rows that have a value of what is drawn besides the train step. */
function rowsWithValue(rows: readonly Row[], measured: ReadonlySet<string>): readonly Row[] {
  const drawn = [...measured].filter((column) => column !== "train_step");
  return rows.filter((row) => drawn.some((column) => isThere(row[column])));
}

/** Why a chart cannot be drawn: what each of its tables lacks, and what it has. */
export function cannotDrawText(chart: Chart, tables: ChartTables): string {
  const lacks = chart.sources.map((source) => {
    const rows = tables[source.reads] ?? [];
    if (rows.length === 0) return `the run has no rows of table "${source.reads}"`;
    const there = new Set(rows.flatMap((row) => Object.keys(row).filter((name) => isThere(row[name]))));
    const needed = source.needs.filter((name) => !there.has(name));
    const wanted = needed.length ? needed : source.uses;
    const columns: Readonly<Record<string, Column>> = TABLES[source.reads];
    const named = wanted.map((name) => `"${name}"${columns[name] ? ` (${columns[name].about})` : ""}`);
    return `table "${source.reads}" has no ${named.join(needed.length ? ", " : " or ")}`;
  });
  return `Cannot draw "${chart.title}": ${[...new Set(lacks)].join("; ")}`;
}

/** The source's columns that have a value; null where one that it needs has none, or none of those it uses. */
function measuredColumns(source: Source, rows: readonly Row[]): ReadonlySet<string> | null {
  const has = (name: string) => rows.some((row) => isThere(row[name]));
  if (!source.needs.every(has)) return null;
  const used = source.uses.flatMap((name) => name.endsWith("*") ? namesLike(rows, name.slice(0, -1)) : [name]).filter(
    has,
  );
  const steps = source.needs.filter((name) => name !== "train_step");
  return steps.length + used.length === 0 ? null : new Set([...source.needs, ...used]);
}

function namesLike(rows: readonly Row[], beginning: string): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => name.startsWith(beginning));
}

const isThere = (value: unknown) => value !== null && value !== undefined;
