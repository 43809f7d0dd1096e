/**
 * Rows that a foreign run gathered as tables: what rules, steps and charts read, by the names of data/columns.ts.
 * @module
 */
import * as aq from "arquero";
import type { ColumnTable } from "arquero";
import type { ImportedCompletion, ImportedSetting } from "./imported_run.ts";

/** JSON lacks NaN and Infinity: they become their names. */
export function settingTable(settings: readonly ImportedSetting[]): ColumnTable {
  const json = (value: unknown) =>
    JSON.stringify(typeof value === "number" && !Number.isFinite(value) ? String(value) : value) ?? "null";
  return rowsTable(settings.map((setting) => ({ ...setting, value: json(setting.value) })));
}

/** A function that was not printed with a row is undefined there, a printed None is null. */
export function completionTable(completions: readonly ImportedCompletion[]): ColumnTable {
  const names = [...new Set(completions.flatMap(({ rewards }) => [...rewards.keys()]))];
  return rowsTable(completions.map(({ rewards, ...row }) => ({
    ...row,
    ...Object.fromEntries(names.map((name) => [`reward.${name}`, rewards.get(name)])),
  })));
}

/** The columns are those of the first row. */
export function rowsTable(rows: readonly object[]): ColumnTable {
  const names = Object.keys(rows[0] ?? {});
  return aq.table(
    Object.fromEntries(names.map((name) => [name, rows.map((row) => (row as Record<string, unknown>)[name])])),
  );
}
