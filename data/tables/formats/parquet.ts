/**
 * Tables as Parquet (snappy).
 * @module
 */
import type { ColumnTable } from "arquero";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { ColumnType, TableName } from "../../columns.ts";
import { columnArray } from "../column_array.ts";
import { columnType } from "../column_type.ts";

/** Lists become JSON texts: readers of metrics expect flat columns. */
const PARQUET_TYPES = {
  int32: "INT32",
  float32: "FLOAT",
  float64: "DOUBLE",
  utf8: "STRING",
  category: "STRING",
  json: "STRING",
  bool: "BOOLEAN",
  "list<int32>": "STRING",
  "list<float32>": "STRING",
  "list<utf8>": "STRING",
} as const satisfies Record<ColumnType, string>;

/** The bytes of a Parquet file; null stays null and NaN stays NaN (inside a list NaN becomes the text "NaN"). */
export function toParquet(name: TableName, table: ColumnTable): Uint8Array {
  const columnData = table.columnNames().map((column) => {
    const values = columnArray(table, column);
    const type = columnType(name, column, values);
    const data = type.startsWith("list<") ? Array.from(values, listText) : Array.from(values);
    return { name: column, data, type: PARQUET_TYPES[type], nullable: true };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

function listText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const items = Array.from(value as ArrayLike<unknown>);
  return JSON.stringify(items.map((item) => typeof item === "number" && !Number.isFinite(item) ? String(item) : item));
}
