/** Cells of Parquet and Arrow as JSON would have them. @module */
import { isObject } from "./cells.ts";
import type { Row } from "./row_batch.ts";

/** 64-bit integers as numbers where they fit, else as their digits; times as ISO texts; bytes stay bytes. */
export function plainRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
}

export function plainValue(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(plainValue);
  if (value instanceof Map) return plainRow(Object.fromEntries(value));
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, plainValue);
  return isObject(value) ? plainRow(value) : value;
}
