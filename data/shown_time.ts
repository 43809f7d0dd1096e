/** A time of a column as a person reads it. @module */
import { TABLES } from "./columns.ts";

const SECOND = 1000; // Milliseconds.
const DIGITS = 3; // As messages have them: the same time reads the same.
const TIMES: ReadonlySet<string> = new Set(
  Object.entries(TABLES.metrics).flatMap(([name, { unit }]) => unit === "ms" ? [name] : []),
);

/** "226 s" or "540 ms" of a column of times; null of any other, and of what is no number. */
export function shownTime(column: string, value: unknown): string | null {
  if (!TIMES.has(column) || typeof value !== "number" || !Number.isFinite(value)) return null;
  const [time, unit] = Math.abs(value) < SECOND ? [value, "ms"] : [value / SECOND, "s"];
  return `${Math.abs(time) > 100 ? Math.round(time) : Number(time.toPrecision(DIGITS))} ${unit}`;
}
