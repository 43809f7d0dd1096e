/** A table some rows at a time: what is written elsewhere need never be whole in memory. @module */
import type { ColumnTable } from "arquero";
import { type TableName } from "../columns.ts";
import { columnArray } from "./column_array.ts";

export interface TablePieces {
  readonly name: TableName;
  /** The columns of all pieces together, in the order in which they are written. */
  readonly columns: readonly string[];
  /** Rows in order; a piece may lack columns, whose values are absent there. */
  readonly pieces: Iterable<ColumnTable>;
}

/** A table that is in memory, as one piece. */
export function onePiece(name: TableName, table: ColumnTable): TablePieces {
  return { name, columns: table.columnNames(), pieces: table.numRows() > 0 ? [table] : [] };
}

/** The values of a column in a piece; null for each row where the piece lacks it. */
export function pieceColumn(piece: ColumnTable, column: string): ArrayLike<unknown> {
  return piece.columnNames().includes(column)
    ? columnArray(piece, column)
    : new Array<null>(piece.numRows()).fill(null);
}
