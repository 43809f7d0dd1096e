/** Makes Arquero tables whose columns have the types of the dictionary. @module */
import * as aq from "arquero";
import type { ColumnTable } from "arquero";
import { type TableName, TABLES } from "../columns.ts";
import { columnType } from "./column_type.ts";
import { columnValues, type Values } from "./column_values.ts";

/**
 * A table from columns. Types come from data/columns.ts; the task's own columns of `prompts` are inferred and
 * `reward.<name>` of `completions` is float32 (columnType). Columns stand in the dictionary's order, then by name.
 *
 * Values are held as they are stored (float32 rounded, lists as typed arrays), so a table read back is the same.
 * Throws RangeError for an unknown column or unequal lengths, TypeError for a value that does not fit.
 */
export function tableOf(name: TableName, columns: Readonly<Record<string, ArrayLike<unknown>>>): ColumnTable {
  const out: Record<string, Values> = {};
  let length: number | null = null;
  let first = "";
  for (const column of columnOrder(name, Object.keys(columns))) {
    const values = columns[column]!;
    if (length === null) [length, first] = [values.length, column];
    if (values.length !== length) {
      throw new RangeError(
        `Cannot make table "${name}": column "${column}" has ${values.length} rows, "${first}" has ${length}`,
      );
    }
    const type = columnType(name, column, values);
    const texts = type === "json" && !Object.hasOwn(TABLES[name], column) ? asJson(values) : values;
    out[column] = columnValues(texts, type, `column "${column}" of table "${name}"`);
  }
  return aq.table(out);
}

/** A table from rows; a key that a row lacks is null there. Without rows: every column of the dictionary, empty. */
export function tableOfRows(name: TableName, rows: readonly Readonly<Record<string, unknown>>[]): ColumnTable {
  if (rows.length === 0) return emptyTable(name);
  const columns: Record<string, unknown[]> = {};
  rows.forEach((row, index) => {
    for (const [column, value] of Object.entries(row)) {
      columns[column] ??= new Array<unknown>(rows.length).fill(null);
      columns[column]![index] = value;
    }
  });
  return tableOf(name, columns);
}

/** A table with every column of the dictionary and no rows. */
export function emptyTable(name: TableName): ColumnTable {
  return tableOf(name, Object.fromEntries(Object.keys(TABLES[name]).map((column) => [column, []])));
}

/** The dictionary's order first, then the other columns by name: the same bytes however the table came about. */
export function columnOrder(name: TableName, columns: readonly string[]): string[] {
  const known = Object.keys(TABLES[name]);
  const present = new Set(columns);
  return [
    ...known.filter((column) => present.has(column)),
    ...columns.filter((column) => !known.includes(column)).sort((a, b) => a < b ? -1 : a > b ? 1 : 0),
  ];
}

/** An inferred json column: each value as JSON text, texts included; typed arrays as lists. */
function asJson(values: ArrayLike<unknown>): (string | null)[] {
  return Array.from(
    values,
    (value) =>
      value === null || value === undefined
        ? null
        : JSON.stringify(ArrayBuffer.isView(value) ? [...(value as unknown as number[])] : value),
  );
}
