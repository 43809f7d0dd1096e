/** The values of one column as the array that holds them. @module */
import type { ColumnTable } from "arquero";
import { didYouMean } from "../did_you_mean.ts";
import { StoredColumn } from "./stored_column.ts";

/**
 * The column's values in the table's order: the typed array behind it where nothing is filtered or ordered (do not
 * write to it), else a copy. Arquero's own `array` always copies into a plain array.
 */
export function columnArray(table: ColumnTable, column: string): ArrayLike<unknown> {
  const data: unknown = (table.data() as Record<string, unknown>)[column];
  const isPlain = !table.isFiltered() && !table.isOrdered();
  if (data instanceof StoredColumn && isPlain) return data.toArray();
  const isDirect = Array.isArray(data) || ArrayBuffer.isView(data);
  if (isDirect && isPlain) return data as unknown as ArrayLike<unknown>;
  if (!table.columnNames().includes(column)) {
    throw new RangeError(
      `Cannot read column "${column}": the table lacks it${didYouMean(column, table.columnNames())}`,
    );
  }
  return table.array(column) as ArrayLike<unknown>;
}
