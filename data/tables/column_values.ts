/**
 * Values of one column in the form its type stores, so that a row in memory and the same row read back are equal.
 * @module
 */
import type { ColumnType } from "../columns.ts";

/** What a cell may hold after normalising; null is absent, NaN is a computed NaN. */
type Cell = number | string | boolean | Int32Array | Float32Array | readonly string[] | null;
export type Values = Int32Array | Float32Array | Float64Array | Cell[];

/**
 * Normalises `values` to `type`: float32 is rounded, int32 is checked, lists become typed arrays, undefined becomes null.
 * Numeric columns without null come back as typed arrays. What has the type already comes back itself: do not write to it.
 *
 * where   names the column in errors, e.g. `column "loss" of table "metrics"`
 * Throws TypeError with the row's number when a value does not fit; nothing is converted between kinds.
 */
export function columnValues(values: ArrayLike<unknown>, type: ColumnType, where: string): Values {
  const typed = TYPED_ARRAYS[type];
  if ((typed && values instanceof typed) || NORMALISED.get(values) === type) return values as Values;
  const cell = CELLS[type];
  const out = new Array<Cell>(values.length);
  let nulls = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value === null || value === undefined) {
      out[row] = null;
      nulls++;
      continue;
    }
    const stored = cell(value);
    if (stored === undefined) {
      throw new TypeError(`Cannot store row ${row} of ${where}: it is ${describe(value)}, want ${WANTED[type]}`);
    }
    out[row] = stored;
  }
  if (typed && nulls === 0) return typed.from(out as number[]);
  NORMALISED.set(out, type);
  return out;
}

/** Arrays that were made here, with their type: a table goes from step to step, and most of its columns as they are. */
const NORMALISED = new WeakMap<object, ColumnType>();

const TYPED_ARRAYS: Partial<
  Record<ColumnType, Int32ArrayConstructor | Float32ArrayConstructor | Float64ArrayConstructor>
> = { int32: Int32Array, float32: Float32Array, float64: Float64Array };

const isInt32 = (value: unknown): value is number => typeof value === "number" && (value | 0) === value;
const isText = (value: unknown): value is string => typeof value === "string";

/** The stored form of one value, or undefined when it does not fit. */
const CELLS = {
  int32: (value) => isInt32(value) ? value : undefined,
  float32: (value) => typeof value === "number" ? Math.fround(value) : undefined,
  float64: (value) => typeof value === "number" ? value : undefined,
  utf8: (value) => isText(value) ? value : undefined,
  category: (value) => isText(value) ? value : undefined,
  json: (value) => isText(value) ? value : undefined,
  bool: (value) => typeof value === "boolean" ? value : undefined,
  "list<int32>": (value) => {
    if (value instanceof Int32Array) return value;
    const items = listItems(value);
    return items?.every(isInt32) ? Int32Array.from(items as number[]) : undefined;
  },
  "list<float32>": (value) => {
    if (value instanceof Float32Array) return value;
    const items = listItems(value);
    return items?.every((item) => typeof item === "number") ? Float32Array.from(items as number[]) : undefined;
  },
  "list<utf8>": (value) => Array.isArray(value) && value.every(isText) ? value : undefined,
} satisfies Record<ColumnType, (value: unknown) => Exclude<Cell, null> | undefined>;

function listItems(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return ArrayBuffer.isView(value) && !(value instanceof DataView) ? [...(value as unknown as number[])] : undefined;
}

const WANTED: Record<ColumnType, string> = {
  int32: "an integer of 32 bits or null",
  float32: "a number or null",
  float64: "a number or null",
  utf8: "a text or null",
  category: "a text or null",
  json: "a JSON text (JSON.stringify it) or null",
  bool: "true, false or null",
  "list<int32>": "a list of integers of 32 bits or null",
  "list<float32>": "a list of numbers or null",
  "list<utf8>": "a list of texts or null",
};

function describe(value: unknown): string {
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 40))}`;
  if (typeof value === "object") return Array.isArray(value) ? "a list" : `a ${value?.constructor?.name ?? "object"}`;
  return `${typeof value} ${String(value)}`;
}
