/** A table of any size that is opened at once: its columns are read when they are first looked at. @module */
import * as aq from "arquero";
import type { ColumnTable } from "arquero";
import { messageOf } from "../error_text.ts";
import type { TableName } from "../columns.ts";
import { type FileColumn, openArrowFile } from "./arrow_file.ts";
import { columnType } from "./column_type.ts";
import { StoredColumn } from "./stored_column.ts";
import { columnOrder, emptyTable } from "./table_of.ts";

const NUMBERS: ReadonlySet<string> = new Set(["int32", "float32", "float64"]);

/** Throws where a file is not as it was written; one that was looked at once is not looked at again. */
interface Digests {
  require(path: string, bytes: () => Uint8Array): void;
}

/**
 * The rows of Arrow files below each other, as `concatTables` of their tables; columns are the union. Null where a file
 * holds a column in another type than the dictionary has (an older version wrote it): such values want `tableOf`.
 * Throws SyntaxError with the path for a file that cannot be read; one that goes afterwards, or that `digests` does not know,
 * is named when a row is looked at.
 */
export function storedTable(name: TableName, paths: readonly string[], digests?: Digests): ColumnTable | null {
  const files = paths.map((path) => named(path, () => openArrowFile(path))).map((file, i) => ({
    ...file,
    columns: new Map(file.columns.map((column) => [column.name, retold(column, paths[i]!, digests)])),
  })).filter(({ rows }) => rows > 0);
  if (files.length === 0) return emptyTable(name);
  const names = columnOrder(name, [...new Set(files.flatMap(({ columns }) => [...columns.keys()]))]);
  const isOurs = ({ name: column, type }: FileColumn) => type === columnType(name, column, []);
  if (!files.every(({ columns }) => columns.values().every(isOurs))) return null;
  const columns = names.map((column) => {
    const stretches = files.map(({ rows, columns }) => ({ rows, stored: columns.get(column) ?? null }));
    return [column, new StoredColumn(stretches, NUMBERS.has(columnType(name, column, [])))] as const;
  });
  return aq.table(Object.fromEntries(columns) as never);
}

/** The same column, whose errors say which file they are about, and whose file is as it was written. */
function retold(column: FileColumn, path: string, digests?: Digests): FileColumn {
  let isKnown = false;
  const fill = () => {
    if (!isKnown) digests?.require(path, () => Deno.readFileSync(path));
    isKnown = true;
    column.fill();
  };
  return { ...column, fill: () => named(path, fill) };
}

function named<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new SyntaxError(`Cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}
