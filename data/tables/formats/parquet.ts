/** Tables as Parquet (snappy), a row group or more per piece. @module */
import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { ColumnType } from "../../columns.ts";
import { columnType } from "../column_type.ts";
import { pieceColumn, type TablePieces } from "../pieces.ts";

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

/**
 * The bytes of a Parquet file, in pieces; null stays null and NaN stays NaN, also in lists, which are columns of type LIST.
 * The types of a task's own columns are those of the first piece's values.
 */
export function* toParquet({ name, columns, pieces }: TablePieces): Generator<Uint8Array> {
  const bytes = new ByteWriter();
  let writer: ParquetWriter | null = null, types: readonly ColumnType[] = [];
  for (const piece of pieces) {
    const values = columns.map((column) => pieceColumn(piece, column));
    if (writer === null) {
      types = columns.map((column, i) => columnType(name, column, values[i]!));
      const schema = [
        { name: "root", num_children: columns.length },
        ...columns.flatMap((c, i) => elements(c, types[i]!)),
      ];
      writer = new ParquetWriter({ writer: bytes, schema, createdBy: "nonzero" });
    }
    const columnData = columns.map((column, i) => ({
      name: column,
      data: Array.from(values[i]!, (value) => types[i]!.startsWith("list<") ? listOf(value) : value),
    }));
    writer.write({ columnData });
    yield taken(bytes);
  }
  if (writer === null) throw new RangeError(`Cannot write table "${name}" as Parquet: it has no rows`);
  writer.finish();
  yield taken(bytes);
}

/** What was written since the last time; positions in the file go on. */
function taken(bytes: ByteWriter): Uint8Array {
  const written = bytes.getBytes().slice();
  bytes.index = 0;
  return written;
}

/** The schema of one column; a list in the three levels of the Parquet format, which every reader knows. */
function elements(name: string, type: ColumnType): SchemaElement[] {
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
