/**
 * Tables to Arrow IPC file bytes and back: the form in which a run keeps them.
 *
 * Uncompressed, one record batch, types by data/columns.ts, so the same rows give the same bytes (their sha256 is a
 * key). Each field's metadata holds our type (`json` is utf8 to other readers), its unit and its meaning.
 * @module
 */
import {
  bool,
  type Column as ArrowColumn,
  columnFromArray,
  columnFromValues,
  dictionary,
  field,
  float32,
  float64,
  int32,
  list,
  Table,
  tableFromIPC,
  tableToIPC,
  utf8,
} from "@uwdata/flechette";
import type { ColumnTable } from "arquero";
import { type Column, type ColumnType, type TableName, TABLES } from "../columns.ts";
import { checkTableName } from "../run_folder.ts";
import { columnArray } from "./column_array.ts";
import { columnType } from "./column_type.ts";
import { columnOrder, tableOf } from "./table_of.ts";

const ARROW_TYPES = {
  int32: () => int32(),
  float32: () => float32(),
  float64: () => float64(),
  utf8: () => utf8(),
  json: () => utf8(),
  category: () => dictionary(utf8(), int32()),
  bool: () => bool(),
  "list<int32>": () => list(int32()),
  "list<float32>": () => list(float32()),
  "list<utf8>": () => list(utf8()),
} satisfies Record<ColumnType, () => unknown>;

/**
 * Bytes of an Arrow IPC file. `metadata` (run id, step id, …) is kept in the schema beside the table's name.
 * Filters and orders of the table are applied. Throws as `tableOf` does.
 */
export function encodeTable(
  name: TableName,
  table: ColumnTable,
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array {
  const dictionaryColumns: Record<string, Column> = TABLES[name];
  const columns: Record<string, ArrayLike<unknown>> = {};
  for (const column of table.columnNames()) columns[column] = columnArray(table, column);
  const stored = tableOf(name, columns);
  const fields = [];
  const children: ArrowColumn<unknown>[] = [];
  for (const column of columnOrder(name, table.columnNames())) {
    const values = columnArray(stored, column);
    const type = columnType(name, column, columns[column]!);
    const known = dictionaryColumns[column];
    const arrowType = ARROW_TYPES[type]();
    const child = ArrayBuffer.isView(values) && values.length > 0
      ? columnFromArray<unknown>(values as Float32Array)
      : columnFromValues<unknown>(values as unknown[], arrowType);
    children.push(child);
    fields.push(field(column, arrowType, true, fieldMetadata(type, known)));
  }
  const schema = {
    version: 4 as const, // Arrow metadata version V5
    endianness: 0 as const, // little
    fields: fields.map((item, index) => ({ ...item, type: children[index]!.type })),
    metadata: new Map([["nonzero.table", name], ...Object.entries(metadata)]),
  };
  return tableToIPC(new Table(schema, children), { format: "file" })!;
}

function fieldMetadata(type: ColumnType, column: Column | undefined): Map<string, string> {
  const entries: [string, string][] = [["nonzero.type", type]];
  if (column?.unit) entries.push(["unit", column.unit]);
  if (column) entries.push(["about", column.about]);
  return new Map(entries);
}

/**
 * The table of an Arrow IPC file that `encodeTable` wrote, of the columns that `wants` says alone: the others are not
 * unpacked. Numeric columns may share memory with `bytes`.
 */
export function decodeTable(bytes: Uint8Array, wants: (column: string) => boolean = () => true): ColumnTable {
  const { arrow, metadata } = arrowTable(bytes);
  const name = checkTableName(metadata["nonzero.table"] ?? "");
  const columns = arrow.schema.fields.flatMap((item, index) => {
    if (!wants(item.name)) return [];
    const child = arrow.getChildAt(index);
    return [[item.name, child.length === 0 ? [] : child.toArray() as ArrayLike<unknown>] as const];
  });
  return tableOf(name, Object.fromEntries(columns.map(([column, values]) => [column, values])));
}

const MAGIC = "ARROW1";

/** The Arrow table of a file's bytes, whose values it does not look at. Throws SyntaxError for bytes that are none. */
export function arrowTable(bytes: Uint8Array): { arrow: Table; metadata: Record<string, string> } {
  const text = (start: number) => String.fromCharCode(...bytes.subarray(start, start + MAGIC.length));
  if (bytes.length < 24 || text(0) !== MAGIC || text(bytes.length - MAGIC.length) !== MAGIC) {
    throw new SyntaxError(
      `Cannot read a table: its ${bytes.length} bytes are not an Arrow IPC file (want "${MAGIC}" at both ends)`,
    );
  }
  // Views of Int32Array and Float64Array need an aligned start; a slice of a larger buffer may not have one.
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  try {
    const arrow = tableFromIPC(aligned);
    return { arrow, metadata: Object.fromEntries(arrow.schema.metadata ?? []) };
  } catch (cause) {
    throw new SyntaxError("Cannot read a table: its Arrow data is damaged", { cause });
  }
}
