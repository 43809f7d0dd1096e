/** JSON as Python writes it: with bare NaN and Infinity. @module */
import { orElse } from "../../file_system.ts";

const parsed = (text: string): unknown => orElse(() => JSON.parse(text), null);

/** The object of a text, null where it is no whole one. A bare NaN is the text "\0NaN" in it, which `numberOf` knows. */
export function parseObject(text: string): Record<string, unknown> | null {
  let found = parsed(text);
  if (found === null && /NaN|Infinity/.test(text)) {
    found = parsed(text.replace(/([:[,]\s*)(-?(?:NaN|Infinity))(?=\s*[,}\]])/g, '$1"\\u0000$2"'));
  }
  return found !== null && typeof found === "object" && !Array.isArray(found) ? found as Record<string, unknown> : null;
}

/** A number as JSON, Parquet or a tracker holds it: NaN for a printed NaN, null for null and for what is no number. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string") return null;
  const text = value.replace("\u0000", "");
  if (text === "NaN" || text === "nan") return NaN;
  if (text === "Infinity") return Infinity;
  return text === "-Infinity" ? -Infinity : null;
}
