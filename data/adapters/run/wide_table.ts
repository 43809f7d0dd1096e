/** From the compact store to the wide view that rules read: one dense array per column. @module */
import * as aq from "arquero";
import type { ColumnTable } from "arquero";
import type { PrintedColumn } from "../../run_rows.ts";
import type { RawColumn, RawTable } from "../intake/raw_table.ts";
import { NONE } from "../intake/stage.ts";

/**
 * Printed metrics: one row per record, one array per column. Mapped names stand under their column of `metrics`
 * (data/columns.ts), rewards per function under `reward.<name>` and `reward_std.<name>`, others as printed.
 */
export interface WideTable {
  readonly rows: number;
  /** As printed, or as follows from what is; the number of the record, from 1, where nothing tells (then `stepsPrinted` is false). */
  readonly trainSteps: number[];
  readonly stepsPrinted: boolean;
  /** Path of the file that each row is written in, and the line there. */
  readonly sources: string[];
  readonly lines: number[];
  readonly columns: Map<string, (number | null)[]>;
  readonly printed: Map<string, PrintedColumn>;
  /** Rows that were read but not kept. */
  readonly thinned: number;
}

/** Joins the tables of one run (one after the other) into the wide view; `paths` are those of the sources. */
export function wideTable(tables: readonly RawTable[], paths: readonly string[]): WideTable {
  const wide: WideTable = {
    rows: tables.reduce((sum, table) => sum + table.rows, 0),
    trainSteps: [],
    stepsPrinted: tables.every((table) => table.step.every((step) => !Number.isNaN(step))),
    sources: [],
    lines: [],
    columns: new Map(),
    printed: new Map(),
    thinned: tables.reduce((sum, table) => sum + table.thinned, 0),
  };
  let records = 0;
  for (const table of tables) {
    const offset = wide.lines.length;
    for (let row = 0; row < table.rows; row++) {
      wide.trainSteps.push(Number.isNaN(table.step[row]!) ? records + table.ordinal[row]! : table.step[row]!);
      wide.sources.push(paths[table.source[row]!]!);
      wide.lines.push(table.line[row]!);
    }
    records += table.ordinal.at(-1) ?? 0;
    for (const column of [...table.columns].sort(order)) addColumn(wide, column, offset);
  }
  completeLoss(wide);
  return wide;
}

/**
 * Evaluations that print no step, at the record they stand behind: its step, whether printed or counted. Records of both
 * are in the order of their files.
 */
export function besideRecords(evaluations: WideTable, records: WideTable): WideTable {
  if (evaluations.stepsPrinted || records.rows === 0) return evaluations;
  return { ...evaluations, trainSteps: stepsBeside(evaluations, records) };
}

/** The train step of the record that each line stands behind, its own where there is none in its file. */
export function stepsBeside<Step>(
  { sources, lines, trainSteps }: {
    readonly sources: readonly string[];
    readonly lines: readonly number[];
    readonly trainSteps: readonly Step[];
  },
  records: WideTable,
): (Step | number)[] {
  let at = 0;
  return lines.map((line, row) => {
    const isBefore = () => at < records.rows && records.sources[at] === sources[row] && records.lines[at]! <= line;
    if (at < records.rows && records.sources[at] !== sources[row]) {
      const next = records.sources.indexOf(sources[row]!, at);
      if (next < 0) return trainSteps[row]!;
      at = next;
    }
    while (isBefore()) at++;
    return records.trainSteps[Math.max(0, at - 1)]!;
  });
}

/**
 * The wide view as a table with `train_step`, `source` and `line`, and columns of one value for all rows. Values stay as
 * printed: none is rounded to float32.
 */
export function tableOfWide(
  { rows, columns, trainSteps, sources, lines }: WideTable,
  same: Readonly<Record<string, string | null>> = {},
): ColumnTable {
  const constants = Object.entries(same).map(([name, value]) => [name, new Array(rows).fill(value)] as const);
  const written = { train_step: trainSteps, source: sources, line: lines };
  return aq.table({ ...Object.fromEntries(columns), ...written, ...Object.fromEntries(constants) });
}

/** Prefers the name that is the column's own, then the one with more values. */
function order(a: RawColumn, b: RawColumn): number {
  const own = (column: RawColumn) => column.info.printed === column.info.column ? 1 : 0;
  return own(b) - own(a) || b.count - a.count;
}

/** Fills the gaps of a column with what stands under one of its printed names. */
function addColumn({ columns, printed, rows }: WideTable, raw: RawColumn, offset: number): void {
  const { column, mul, printed: name } = raw.info;
  const values = columns.get(column) ?? new Array<number | null>(rows).fill(null);
  columns.set(column, values);
  const before = printed.get(column), names = before?.names ?? [];
  let fewest = before?.decimals ?? Infinity;
  for (let i = 0; i < raw.rows.length; i++) {
    const row = offset + raw.rows[i]!, decimals = raw.decimals[i]!;
    if (values[row] !== null || decimals === NONE) continue;
    values[row] = raw.values[i]! * mul;
    if (decimals >= 0) fewest = Math.min(fewest, decimals);
  }
  const decimals = fewest === Infinity || mul !== 1 ? null : fewest;
  // Of names in several units no cell tells which one it stood under.
  const factor = before === undefined || (before.factor ?? 1) === mul ? mul : 1;
  printed.set(column, {
    names: names.includes(name) ? names : [...names, name],
    decimals,
    ...(factor === 1 ? {} : { factor }),
  });
}

function completeLoss({ columns, printed }: WideTable): void {
  const loss = columns.get("loss"), how = printed.get("loss"), policyLoss = columns.get("policy_loss");
  if (loss !== undefined && how!.names.includes("loss") && how!.decimals === null && isRounded(loss)) {
    printed.set("loss", { ...how!, decimals: 4 });
  }
  // Where only the policy-gradient part is printed (verl, OpenRLHF), it is the loss a reader looks for.
  if (loss === undefined && policyLoss !== undefined) {
    columns.set("loss", policyLoss);
    printed.set("loss", printed.get("policy_loss")!);
  }
}

/** transformers 4 rounds `loss` to four decimals before it prints or stores it. */
function isRounded(values: readonly (number | null)[]): boolean {
  return values.every((v) => v === null || !Number.isFinite(v) || Math.abs(v * 1e4 - Math.round(v * 1e4)) < 1e-6);
}
