/** Finds the cell of a row by the name of a column, or by a dotted path into the objects and lists of one. @module */

type Row = Readonly<Record<string, unknown>>;

/** Dots of a path that are looked at. */
const DEEPEST = 8;

/**
 * A cell: the column of that name, else the field that `column.field.field` leads to, `column.0.field` in the first item of
 * a list; undefined where there is none.
 */
export function cellOf(row: Row, name: string): unknown {
  for (const column of columnsOf(name)) {
    if (!Object.hasOwn(row, column)) continue;
    if (column === name) return row[name];
    const inner = row[column], rest = name.slice(column.length + 1);
    const isItem = Array.isArray(inner) && /^\d+(?:\.|$)/.test(rest);
    return isItem || isObject(inner) ? cellOf(inner as Row, rest) : undefined;
  }
  return undefined;
}

/** The columns that may hold a path, the longest first: `a.b` may be a column's name, or a field of `a`. */
export function columnsOf(name: string): string[] {
  const parts = name.split(".", DEEPEST + 1), columns = [name];
  for (let length = Math.min(parts.length - 1, DEEPEST); length > 0; length--) {
    columns.push(parts.slice(0, length).join("."));
  }
  return columns;
}

/** The paths to all fields of an object that are none themselves. */
export function pathsIn(value: unknown, path: string, depth = DEEPEST): string[] {
  if (!isObject(value) || depth === 0) return [path];
  return Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, `${path}.${key}`, depth - 1));
}

export function isObject(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date) &&
    !ArrayBuffer.isView(value);
}
