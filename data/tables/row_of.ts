/** Rows of a table as TypeScript sees them, by the dictionary: no shape of a row is written a second time. @module */
import type { Column, ColumnType, TableName, TABLES } from "../columns.ts";

/** What a cell of each type is while a row is an object. */
interface CellOf extends Record<ColumnType, unknown> {
  int32: number;
  float32: number;
  float64: number;
  utf8: string;
  category: string;
  bool: boolean;
  json: string;
  "list<int32>": ArrayLike<number>;
  "list<float32>": ArrayLike<number>;
  "list<utf8>": readonly string[];
}

type ColumnsOf<Name extends TableName> = (typeof TABLES)[Name];

/** A row of a table; of the columns `Absent` a cell may be null. */
export type RowOf<Name extends TableName, Absent extends keyof ColumnsOf<Name> = never> = {
  -readonly [Key in keyof ColumnsOf<Name>]:
    | (ColumnsOf<Name>[Key] extends Column ? CellOf[ColumnsOf<Name>[Key]["type"]] : never)
    | (Key extends Absent ? null : never);
};
