/** Draws rows until enough of them differ. @module */
import { integer } from "../../random.ts";

const PATIENCE = 2000; // How many draws in a row may bring nothing new before the supply counts as exhausted.

/**
 * Up to `count` rows with distinct keys, in drawing order, by (seed, stream): the same whatever the run's seed.
 *
 * draw   makes a row of integers below a bound, drawn one after the other; may return null ("not usable")
 *
 * Fewer rows come back when the parameters do not allow more.
 */
export function uniqueRows<Row>(
  count: number,
  stream: string,
  draw: (below: (bound: number) => number) => Row | null,
  keyOf: (row: Row) => string,
  seed = 0,
): Row[] {
  const rows = new Map<string, Row>();
  for (let index = 0, idle = 0; rows.size < count && idle < PATIENCE; index++, idle++) {
    let drawn = 0;
    const row = draw((bound) => integer(seed, stream, 0, index, drawn++, bound));
    if (row === null || rows.has(keyOf(row))) continue;
    rows.set(keyOf(row), row);
    idle = 0;
  }
  return [...rows.values()];
}
