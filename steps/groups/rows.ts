/** Picks and joins rows of completions, whatever columns they have. @module */
import type { ColumnTable } from "arquero";
import { columnArray, concatTables, tableOf } from "../../data/tables/mod.ts";

/** The rows of those numbers, in that order, as a table `completions`. */
export function pickRows(completions: ColumnTable, rows: readonly number[]): ColumnTable {
  const columns = completions.columnNames().map((name) => {
    const values = columnArray(completions, name);
    return [name, rows.map((row) => values[row])] as const;
  });
  return tableOf("completions", Object.fromEntries(columns));
}

/** Rows below each other. */
export const joinRows = (tables: readonly ColumnTable[]) => concatTables("completions", tables);
