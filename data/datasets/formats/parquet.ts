/** Reads Parquet one row group at a time. @module */
import type { SchemaElement } from "hyparquet";
import { ParquetFile } from "../../parquet_file.ts";
import { PlacedFile } from "../bytes_of_file.ts";
import type { DataFile, FileBatch } from "../data_file.ts";
import { LIMITS } from "../limits.ts";
import { plainRow } from "../plain_values.ts";

export async function openParquet(path: string): Promise<DataFile> {
  const source = await PlacedFile.open(path);
  try {
    const file = await ParquetFile.of(source);
    if (file.columns.length > LIMITS.columns) throw new RangeError(`it has ${file.columns.length} columns`);
    const types = typesOf(file.metadata.schema);
    return { rows: file.rows, types, batches: (columns) => batches(file, columns), close: () => source.close() };
  } catch (error) {
    source.close();
    throw error;
  }
}

async function* batches(file: ParquetFile, wanted: readonly string[] | undefined): AsyncGenerator<FileBatch> {
  const columns = file.columns.filter((name) => wanted?.includes(name) ?? true);
  if (columns.length === 0 || file.rows === 0) return yield { rows: [], columns: file.columns };
  for await (const rows of file.groups(columns)) yield { rows: rows.map(plainRow), columns: file.columns };
}

/** What the footer says of each column, in words. */
function typesOf(schema: readonly SchemaElement[]): Record<string, string> {
  let at = 1;
  const read = (): [string, string] => {
    const element = schema[at++]!, children = Array.from({ length: element.num_children ?? 0 }, read);
    const written = element.logical_type, logical = written?.type ?? element.converted_type;
    const own = written?.type === "INTEGER"
      ? `${written.isSigned ? "" : "u"}int${written.bitWidth}`
      : logical === "DECIMAL"
      ? `decimal(${element.precision}, ${element.scale ?? 0})`
      : children.length === 0
      ? (logical ?? element.type ?? "?").toLowerCase().replace("byte_array", "binary").replace(
        /^(?:utf8|string)$/,
        "text",
      )
      : logical === "LIST"
      ? `list<${
        /^list<|^struct<(?:element|item|array)/.test(children[0]![1]) ? inner(children[0]![1]) : children[0]![1]
      }>`
      : `struct<${children.map(([name, type]) => `${name}: ${type}`).join(", ")}>`;
    return [element.name, element.repetition_type === "REPEATED" && logical !== "LIST" ? `list<${own}>` : own];
  };
  const count = schema[0]?.num_children ?? 0;
  return Object.fromEntries(Array.from({ length: count }, read));
}

/** `list<struct<element: text>>`, as the footer has it, is a list of texts. */
function inner(type: string): string {
  return /^list<struct<\w+: (.*)>>$/.exec(type)?.[1] ?? /^struct<\w+: (.*)>$/.exec(type)?.[1] ?? type;
}
