/** Rows as objects, also where no program may be made of a text, which Arquero's own way does. @module */
import type { ColumnTable } from "arquero";

/** Every row of a table, in its order, with every column; a missing cell is null or undefined, as it is stored. */
export function rowObjects(table: ColumnTable): Record<string, unknown>[] {
  const columns = table.columnNames().map((name) => [name, table.column(name)!] as const);
  const rows: Record<string, unknown>[] = [];
  table.scan((at) => {
    rows.push(Object.fromEntries(columns.map(([name, column]) => [name, column.at(at!)])));
  }, true);
  return rows;
}
