/**
 * A foreign run as tables: what rules, steps and charts read.
 *
 * Names are those of data/columns.ts. `metrics` has besides a column per reward function (`reward.<name>`,
 * `reward_std.<name>`) and per name without a column.
 * @module
 */
import * as aq from "arquero";
import type { ColumnTable } from "arquero";
import type { ImportedCompletion, ImportedSetting } from "./imported_run.ts";
import { tableOfWide, type WideTable } from "./wide_table.ts";

/** Which phase the records of an algorithm are, in the words of `metrics`. */
const PHASES: Record<string, string> = { sft: "sft", kto: "preference", dpo: "preference" };

export function metricTable(wide: WideTable, algorithm: string | null): ColumnTable {
  const phase = algorithm === null ? null : PHASES[algorithm] ?? "rollout", step = "import_log";
  const { length } = wide.lines;
  return tableOfWide(wide).assign(aq.table({
    phase: new Array(length).fill(phase),
    step_id: new Array(length).fill(step),
  }));
}

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
