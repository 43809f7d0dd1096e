/** Puts tables of one name below each other. @module */
import type { ColumnTable } from "arquero";
import type { TableName } from "../columns.ts";
import { columnArray } from "./column_array.ts";
import { emptyTable, tableOf } from "./table_of.ts";

/** All rows in order; columns are the union, null where a table lacks one. Arquero's own concat drops such columns. */
export function concatTables(name: TableName, tables: readonly ColumnTable[]): ColumnTable {
  const filled = tables.filter((table) => table.numRows() > 0);
  if (filled.length === 0) return tables[0] ?? emptyTable(name);
  if (filled.length === 1) return filled[0]!;
  const names = new Set(filled.flatMap((table) => table.columnNames()));
  return tableOf(name, Object.fromEntries([...names].map((column) => [column, stack(filled, column)])));
}

function stack(tables: readonly ColumnTable[], column: string): ArrayLike<unknown> {
  const parts: ArrayLike<unknown>[] = tables.map((table) =>
    table.columnNames().includes(column) ? columnArray(table, column) : new Array<null>(table.numRows()).fill(null)
  );
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  for (const type of [Int32Array, Float32Array, Float64Array]) {
    if (!parts.every((part) => part instanceof type)) continue;
    const out = new type(length);
    let offset = 0;
    for (const part of parts as InstanceType<typeof type>[]) {
      out.set(part, offset);
      offset += part.length;
    }
    return out;
  }
  const out = new Array<unknown>(length);
  let row = 0;
  for (const part of parts) for (let i = 0; i < part.length; i++) out[row++] = part[i];
  return out;
}
