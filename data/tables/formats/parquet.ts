/** Tables as Parquet (snappy). @module */
import type { ColumnTable } from "arquero";
import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { ColumnType, TableName } from "../../columns.ts";
import { columnArray } from "../column_array.ts";
import { columnType } from "../column_type.ts";

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;

/** How a value is stored; of a list, how an item is. */
const ITEMS = {
  int32: { type: "INT32" },
  float32: { type: "FLOAT" },
  float64: { type: "DOUBLE" },
  utf8: TEXT,
  category: TEXT,
  json: TEXT,
  bool: { type: "BOOLEAN" },
  "list<int32>": { type: "INT32" },
  "list<float32>": { type: "FLOAT" },
  "list<utf8>": TEXT,
} as const satisfies Record<ColumnType, Partial<SchemaElement>>;

/** The bytes of a Parquet file; null stays null and NaN stays NaN, also in lists, which are columns of type LIST. */
export function toParquet(name: TableName, table: ColumnTable): Uint8Array {
  const columns = table.columnNames().map((column) => {
    const values = columnArray(table, column);
    return { name: column, values, type: columnType(name, column, values) };
  });
  const schema = [{ name: "root", num_children: columns.length }, ...columns.flatMap(elements)];
  const columnData = columns.map(({ name, values, type }) => ({
    name,
    data: Array.from(values, (value) => type.startsWith("list<") ? listOf(value) : value),
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData, schema }));
}

/** The schema of one column; a list in the three levels of the Parquet format, which every reader knows. */
function elements({ name, type }: { name: string; type: ColumnType }): SchemaElement[] {
  const item = ITEMS[type], optional = { repetition_type: "OPTIONAL" } as const;
  if (!type.startsWith("list<")) return [{ name, ...item, ...optional }];
  return [
    { name, ...optional, num_children: 1, converted_type: "LIST" },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", ...item, ...optional },
  ];
}

function listOf(value: unknown): unknown[] | null {
  return value === null || value === undefined ? null : Array.from(value as ArrayLike<unknown>);
}
