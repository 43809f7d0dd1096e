/** The type of a column: from the dictionary, or inferred for a task's own columns and for reward functions. @module */
import { type Column, type ColumnType, type TableName, TABLES } from "../columns.ts";
import { didYouMean } from "../did_you_mean.ts";

/** Tables of completions, whose reward functions have a column each. */
const SCORED: readonly TableName[] = ["completions", "kept", "evaluations"];

/**
 * Type of `column` in `table`. Columns outside the dictionary are allowed in two places:
 * `reward.<name>` of `completions`, kept ones too, is float32; a task's own column of `prompts` is inferred from its values
 * (booleans → bool, numbers → float64, texts → utf8, lists of 32-bit integers → list<int32>, lists of texts →
 * list<utf8>, anything else → json). Throws RangeError with the nearest name otherwise.
 */
export function columnType(table: TableName, column: string, values: ArrayLike<unknown>): ColumnType {
  const columns: Record<string, Column> = TABLES[table];
  if (Object.hasOwn(columns, column)) return columns[column]!.type;
  if (SCORED.includes(table) && /^reward\../.test(column)) return "float32";
  if (table === "prompts") return inferType(values);
  throw new RangeError(
    `Cannot store column "${column}" in table "${table}": it is not in data/columns.ts${
      didYouMean(column, Object.keys(columns))
    }`,
  );
}

/** The narrowest type that holds every value; utf8 when all are null. */
export function inferType(values: ArrayLike<unknown>): ColumnType {
  let found: ColumnType | null = null;
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value === null || value === undefined) continue;
    const type = typeOf(value);
    if (found === null || found === EMPTY_LIST) found = type;
    else if (type !== found && !(type === EMPTY_LIST && found.startsWith("list<"))) return "json";
  }
  return found ?? "utf8";
}

const EMPTY_LIST: ColumnType = "list<int32>";

function typeOf(value: unknown): ColumnType {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return "float64";
  if (typeof value === "string") return "utf8";
  if (value instanceof Float32Array) return "list<float32>";
  if (!Array.isArray(value) && !(value instanceof Int32Array)) return "json";
  const items: unknown[] = [...value];
  if (items.every((item) => typeof item === "number" && (item | 0) === item)) return "list<int32>";
  return items.every((item) => typeof item === "string") ? "list<utf8>" : "json";
}
