/**
 * A foreign run as tables: what rules, steps and charts read.
 *
 * Names are those of data/columns.ts. Values stay as printed: a printed 0.3 is not rounded to float32. `metrics` has
 * besides a column per reward function (`reward.<name>`, `reward_std.<name>`) and per name without a column.
 * @module
 */
import * as aq from "arquero";
import type { ColumnTable } from "arquero";
import type { LogFacts } from "../../run_rows.ts";
import type { ImportedCompletion, ImportedRun, WideTable } from "./imported_run.ts";

export type ImportedTables = Record<"metrics" | "settings" | "messages" | "completions", ColumnTable>;

/** Which phase the records of an algorithm are, in the words of `metrics`. */
const PHASES: Record<string, string> = { sft: "sft", kto: "preference", dpo: "preference" };

/** What a foreign run is read from: all of it but its tables. */
export type ForeignRun = Omit<ImportedRun, "rows">;

/** The tables that rules read. */
export function toTables(run: ForeignRun): ImportedTables {
  const phase = run.algorithm.name === null ? null : PHASES[run.algorithm.name] ?? "rollout";
  return {
    metrics: aq.table({
      ...wideColumns(run.metrics),
      ...written(run, run.metrics),
      phase: new Array(run.metrics.rows).fill(phase),
      step_id: new Array(run.metrics.rows).fill("import_log"),
    }),
    settings: rowsTable(run.settings.map((setting) => ({ ...setting, value: json(setting.value) }))),
    messages: rowsTable(run.messages),
    completions: rowsTable(rewardColumns(run.completions)),
  };
}

/** What holds for the log as a whole. */
export function logFacts(run: ForeignRun): LogFacts {
  return {
    system: run.system.name,
    algorithm: run.algorithm.name,
    stepsPrinted: run.metrics.step_printed,
    rewardStdScope: run.reward_std_scope.scope,
    printed: printedColumns(run.metrics),
    printedEvaluations: printedColumns(run.evaluations),
    evaluations: aq.table({ ...wideColumns(run.evaluations), ...written(run, run.evaluations) }),
  };
}

function printedColumns({ columns, printed, decimals }: WideTable): LogFacts["printed"] {
  return new Map(
    [...columns.keys()].map((name) => [name, { name: printed.get(name)?.[0], decimals: decimals.get(name) ?? null }]),
  );
}

/** Where each row is written. */
function written({ sources }: ForeignRun, { source, line }: WideTable) {
  return { source: source.map((at) => sources[at]?.path ?? null), line };
}

function wideColumns({ train_step, columns }: WideTable): Record<string, (number | null)[]> {
  return { ...Object.fromEntries(columns), train_step };
}

/** A function that was not printed with a row is undefined there, a printed None is null. */
function rewardColumns(completions: readonly ImportedCompletion[]): Record<string, unknown>[] {
  const names = [...new Set(completions.flatMap(({ rewards }) => [...rewards.keys()]))];
  return completions.map(({ rewards, ...row }) => ({
    ...row,
    ...Object.fromEntries(names.map((name) => [`reward.${name}`, rewards.get(name)])),
  }));
}

/** JSON lacks NaN and Infinity: they become their names. */
function json(value: unknown): string {
  return JSON.stringify(typeof value === "number" && !Number.isFinite(value) ? String(value) : value) ?? "null";
}

function rowsTable(rows: readonly object[]): ColumnTable {
  const names = Object.keys(rows[0] ?? {});
  return aq.table(
    Object.fromEntries(names.map((name) => [name, rows.map((row) => (row as Record<string, unknown>)[name])])),
  );
}
