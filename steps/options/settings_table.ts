/** The options in force, as rows of the table `settings`: each step adds its own, the doctor reads all. @module */
import type { ColumnTable } from "arquero";
import { TABLES } from "../../data/columns.ts";
import { tableOfRows } from "../../data/tables/mod.ts";

/** What every step that writes its options writes of the table: all of it. */
export const SETTING_COLUMNS = Object.keys(TABLES.settings) as (keyof typeof TABLES.settings)[];

type SettingRow = Record<(typeof SETTING_COLUMNS)[number], string | null> & { readonly name: string };
type SettingValue = number | string | boolean | null | readonly number[];

/** The part of a step's context that holds the table. */
interface Settings {
  table(name: "settings"): ColumnTable;
  write(tables: { readonly settings: ColumnTable }): void;
}

/** The values of the table `settings` by name. */
export function settingValues(settings: ColumnTable): ReadonlyMap<string, SettingValue> {
  if (!settings.numRows()) return new Map();
  const [names, texts] = ["name", "value"].map((c) => settings.array(c) as ArrayLike<string>);
  return new Map(Array.from(names!, (name, i) => [name, JSON.parse(texts![i]!) as SettingValue]));
}

/**
 * Adds or replaces `values` in the table; false, and nothing written, when all were there: a train step costs nothing
 * then. `originOf` names where each came from and lands in `source`.
 */
export function writeSettings(
  context: Settings,
  values: Readonly<Record<string, SettingValue>>,
  originOf: (name: string) => string = () => "workflow",
): boolean {
  const before = context.table("settings").objects() as SettingRow[];
  const rows = new Map(before.map((row) => [row.name, row]));
  let changed = false;
  for (const [name, given] of Object.entries(values)) {
    const value = JSON.stringify(given), source = originOf(name), old = rows.get(name);
    if (old?.value === value && old.source === source) continue;
    const stored: unknown = JSON.parse(value), written_type = Array.isArray(stored) ? "list" : typeof stored;
    rows.set(name, { name, option: name, value, written_type, system: "nonzero", source, line: null, column: null });
    changed = true;
  }
  if (changed) context.write({ settings: tableOfRows("settings", [...rows.values()]) });
  return changed;
}
