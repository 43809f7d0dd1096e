/** The first rows of a table as text in columns, for viewers that show no HTML. @module */
import type { ColumnTable } from "arquero";

/** Characters of a cell; what is longer ends in an ellipsis. */
const WIDEST = 40;

/** At most `limit` rows below the names, absent values empty, numbers to the right, and how many there are. */
export function plainTable(table: ColumnTable, limit = 10): string {
  const names = table.columnNames(), size = `${table.numRows()} rows × ${names.length} columns`;
  const rows = table.objects({ limit }) as Record<string, unknown>[];
  if (names.length === 0 || rows.length === 0) {
    return `[table of ${size}${names.length ? `: ${names.join(", ")}` : ""}]`;
  }
  const cells = names.map((name) => [name, ...rows.map((row) => cellOf(row[name]))]);
  const widths = cells.map((column) => Math.max(...column.map((text) => [...text].length)));
  const isNumber = names.map((name) => rows.some((row) => typeof row[name] === "number"));
  const line = (row: number) =>
    cells.map((column, i) => pad(column[row]!, widths[i]!, isNumber[i]!)).join("  ").trimEnd();
  const shown = rows.length < table.numRows() ? `[${size}; the first ${rows.length} are shown]` : `[${size}]`;
  return [...Array.from({ length: rows.length + 1 }, (_, row) => line(row)), shown].join("\n");
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
  const isList = Array.isArray(value) || ArrayBuffer.isView(value);
  const text = typeof value === "string" || !isList ? String(value) : `[${Array.from(value as number[]).join(", ")}]`;
  const letters = [...text.replaceAll("\n", "↵").replaceAll("\t", " ")];
  return letters.length > WIDEST ? letters.slice(0, WIDEST - 1).join("") + "…" : letters.join("");
}

function pad(text: string, width: number, toTheRight: boolean): string {
  const gap = " ".repeat(width - [...text].length);
  return toTheRight ? gap + text : text + gap;
}
