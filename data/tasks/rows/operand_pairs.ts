/** Pairs of operands for the arithmetic tasks: all of them when they are few, else drawn without repetition. @module */
import { uniqueRows } from "./unique_rows.ts";

/**
 * Pairs [a, b] with low <= a, b <= high: all (high - low + 1)^2 in order when that is at most `limit`, else `limit`
 * distinct ones drawn by (seed 0, stream).
 */
export function operandPairs(
  low: number,
  high: number,
  limit: number,
  stream: string,
): readonly (readonly [number, number])[] {
  const values = high - low + 1;
  if (values * values <= limit) {
    return Array.from(
      { length: values * values },
      (_, i) => [low + Math.floor(i / values), low + (i % values)] as const,
    );
  }
  return uniqueRows(limit, stream, (below) => [low + below(values), low + below(values)] as const, String);
}
