/** A run of ours as it was read: its tables, and what lists and reports show of them. @module */
import type { ColumnTable } from "arquero";
import type { TableName } from "../../columns.ts";
import { findOption } from "../../options.ts";
import { concatTables, rowObjects } from "../../tables/mod.ts";
import type { RowOf } from "../../tables/row_of.ts";
import type { ImportedRun, ImportedSetting } from "./imported_run.ts";
import type { Intake } from "../intake/intake.ts";

/** The run whose tables the intake holds. */
export function ownRun(path: string, intake: Intake): ImportedRun {
  const tables: Partial<Record<TableName, ColumnTable>> = {};
  for (const [name, parts] of intake.tables) tables[name] = concatTables(name, parts);
  const source = intake.sources[0]?.path ?? path;
  return {
    path,
    part: { index: 1, of: 1, reason: "a run of ours", run: null },
    system: "nonzero",
    algorithm: null,
    settings: settingsOf(tables.settings, source),
    unmapped: new Map(),
    sources: intake.sources,
    skipped: intake.skipped,
    thinned: 0,
    rows: { tables, log: null },
  };
}

function settingsOf(table: ColumnTable | undefined, source: string): ImportedSetting[] {
  const rows = (table === undefined ? [] : rowObjects(table)) as RowOf<"settings">[];
  return rows.map((row, at) => ({
    name: row.name,
    option: findOption(row.name, "nonzero"),
    value: JSON.parse(row.value),
    written_type: row.written_type,
    system: "nonzero",
    source,
    line: at + 1,
    column: 1,
  }));
}
