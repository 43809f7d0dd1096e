/** The options in force, as rows of the table `settings`: each step adds its own, the doctor reads all. @module */
import { type ColumnTable, table } from "arquero";

/** What every step that writes its options writes of the table. */
export const SETTING_COLUMNS = [
  "name",
  "option",
  "value",
  "written_type",
  "system",
  "source",
  "line",
  "column",
] as const;

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
  const before = context.table("settings");
  const rows = new Map<string, { value: string; source: string }>();
  if (before.numRows()) {
    const [names, texts, sources] = ["name", "value", "source"].map((c) => before.array(c) as ArrayLike<string>);
    for (let i = 0; i < before.numRows(); i++) rows.set(names![i]!, { value: texts![i]!, source: sources![i]! });
  }
  let changed = false;
  for (const [name, value] of Object.entries(values)) {
    const text = JSON.stringify(value), source = originOf(name), old = rows.get(name);
    if (old?.value === text && old.source === source) continue;
    rows.set(name, { value: text, source });
    changed = true;
  }
  if (!changed) return false;
  const list = [...rows];
  const settings = table({
    name: list.map(([name]) => name),
    option: list.map(([name]) => name),
    value: list.map(([, { value }]) => value),
    written_type: list.map(([, { value }]) => typeName(JSON.parse(value))),
    system: list.map(() => "nonzero"),
    source: list.map(([, { source }]) => source),
    line: list.map(() => null),
    column: list.map(() => null),
  });
  context.write({ settings });
  return true;
}

/** As `written_type` of the table has it. */
function typeName(value: unknown): string {
  return Array.isArray(value) ? "list" : typeof value;
}
