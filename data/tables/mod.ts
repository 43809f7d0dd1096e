/** Tables: made with the dictionary's types, stored as Arrow, exported to other formats. @module */
export { decodeTable, encodeTable } from "./arrow.ts";
export { columnArray } from "./column_array.ts";
export { concatTables } from "./concat.ts";
export { onePiece, type TablePieces } from "./pieces.ts";
export { rowObjects } from "./row_objects.ts";
export { storedTable } from "./stored_table.ts";
export { columnOrder, emptyTable, tableOf, tableOfRows } from "./table_of.ts";
