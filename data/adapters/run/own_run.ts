/**
 * A run of ours as it was read: its tables, and what lists and reports show of them.
 * @module
 */
import type { ColumnTable } from "arquero";
import { type TableName, TABLES } from "../../columns.ts";
import { findOption, type OptionName } from "../../options.ts";
import type { RunRows } from "../../run_rows.ts";
import { columnArray, concatTables } from "../../tables/mod.ts";
import type { ImportedMessage, ImportedRun, ImportedSetting, WideTable } from "./imported_run.ts";
import type { Intake } from "../intake/intake.ts";

/** Takes tables of a run of ours, whole or in pieces: they are its rows as they stand, with nothing to recognise. */
export function takeTables(intake: Intake, tables: RunRows["tables"]): void {
  for (const [name, table] of Object.entries(tables) as [TableName, ColumnTable][]) {
    intake.tables.set(name, [...(intake.tables.get(name) ?? []), table]);
    intake.source.records += table.numRows();
  }
}

/** The run whose tables the intake holds. Its completions are in `rows` alone: a long run has too many for a list. */
export function ownRun(path: string, intake: Intake): ImportedRun {
  const tables: Partial<Record<TableName, ColumnTable>> = {};
  for (const [name, parts] of intake.tables) tables[name] = concatTables(name, parts);
  const source = intake.sources[0]?.path ?? path;
  return {
    path,
    part: { index: 1, of: 1, reason: "a run of ours" },
    system: { name: "nonzero", reason: intake.marks.get("nonzero") ?? "its tables have our columns" },
    algorithm: { name: null, reason: "its settings say" },
    metrics: metricsOf(tables.metrics),
    evaluations: metricsOf(undefined),
    reward_std_scope: { scope: "batch", reason: "runs of ours measure it over the batch" },
    settings: settingsOf(tables.settings, source),
    messages: messagesOf(tables.messages, source),
    completions: [],
    unmapped: new Map(),
    sources: intake.sources,
    skipped: intake.skipped,
    observations: () => [],
    rows: { tables, log: null },
  };
}

function metricsOf(table: ColumnTable | undefined): WideTable {
  const rows = table?.numRows() ?? 0;
  const numbers = (table?.columnNames() ?? []).filter((name) =>
    name !== "train_step" && /^(int|float)/.test((TABLES.metrics as Record<string, { type: string }>)[name]?.type ?? "")
  );
  const cells = (name: string) => Array.from(columnArray(table!, name) as ArrayLike<number | null>);
  return {
    rows,
    train_step: rows === 0 ? [] : cells("train_step") as number[],
    step_printed: true,
    source: new Array<number>(rows).fill(0),
    line: Array.from({ length: rows }, (_, row) => row + 1),
    columns: new Map(rows === 0 ? [] : numbers.map((name) => [name, cells(name)])),
    decimals: new Map(),
    printed: new Map(),
    extremes: new Map(),
    thinned: 0,
  };
}

const objects = (table: ColumnTable | undefined) =>
  (table?.objects({ limit: Infinity }) ?? []) as Readonly<Record<string, unknown>>[];

function settingsOf(table: ColumnTable | undefined, source: string): ImportedSetting[] {
  return objects(table).map((row, at) => ({
    name: String(row.name),
    option: findOption(String(row.name), "nonzero") as OptionName | null,
    value: JSON.parse(String(row.value)),
    written_type: String(row.written_type),
    system: "nonzero",
    source,
    line: at + 1,
    column: 1,
  }));
}

function messagesOf(table: ColumnTable | undefined, source: string): ImportedMessage[] {
  return objects(table).map((row, at) => ({
    kind: String(row.kind),
    text: String(row.text),
    value: row.value as number | null ?? null,
    train_step: row.train_step as number | null ?? null,
    source,
    line: at + 1,
    count: 1,
  }));
}
