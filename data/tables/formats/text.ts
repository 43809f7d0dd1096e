/** Tables as CSV and as JSON lines, row by row. @module */
import { pieceColumn, type TablePieces } from "../pieces.ts";

/** A cell as JSON holds it: typed arrays as lists; NaN and infinities as texts, since null means absent. */
function jsonCell(value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (ArrayBuffer.isView(value)) return Array.from(value as Float32Array, jsonCell);
  return value;
}

function* rows({ columns, pieces }: TablePieces): Generator<[string, unknown][]> {
  for (const piece of pieces) {
    const cells = columns.map((name) => [name, pieceColumn(piece, name)] as const);
    for (let row = 0; row < piece.numRows(); row++) yield cells.map(([name, values]) => [name, values[row]]);
  }
}

/** One JSON object per line; NaN and infinities are the texts "NaN", "Infinity", "-Infinity". */
export function* toJsonLines(table: TablePieces): Generator<string> {
  for (const row of rows(table)) {
    yield `${JSON.stringify(Object.fromEntries(row.map(([name, value]) => [name, jsonCell(value)])))}\n`;
  }
}

/** CSV by RFC 4180 with "\n": absent is an empty cell, an empty text is "" in quotes, a list is JSON. */
export function* toCsv(table: TablePieces): Generator<string> {
  yield `${table.columns.map(csvCell).join(",")}\n`;
  for (const row of rows(table)) yield `${row.map(([, value]) => csvCell(value)).join(",")}\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(jsonCell(value)) : String(value);
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
