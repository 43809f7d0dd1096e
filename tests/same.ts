/**
 * Deep equality of large values: says where the first difference is. `assert.deepEqual` draws the difference of two arrays
 * line by line, whose time grows with the square of their lengths: on the weights of a model that is minutes, not a failure.
 */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

/** Throws an AssertionError that names the first difference, e.g. `weights[17] is 2, want 1`. */
export function same(actual: unknown, want: unknown, what = "value"): void {
  if (!isDeepStrictEqual(actual, want)) assert.fail(firstDifference(actual, want, what));
}

function firstDifference(actual: unknown, want: unknown, path: string): string {
  const inside = members(actual), wanted = members(want);
  if (inside && wanted) {
    if (inside.size !== wanted.size) return `${path} has ${inside.size} members, want ${wanted.size}`;
    for (const [name, value] of wanted) {
      if (!inside.has(name)) return `${path} has no ${name}`;
      if (!isDeepStrictEqual(inside.get(name), value)) {
        return firstDifference(inside.get(name), value, `${path}[${name}]`);
      }
    }
  }
  return `${path} is ${short(actual)}, want ${short(want)}`;
}

/** Elements, entries or properties by name; null for what has none. */
function members(value: unknown): Map<unknown, unknown> | null {
  if (value instanceof Map) return value;
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return new Map((value as unknown[]).entries());
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : null;
}

function short(value: unknown): string {
  const text = Deno.inspect(value, { depth: 1, iterableLimit: 3 });
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
