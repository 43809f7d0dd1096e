/** Draws rows until enough of them differ. @module */

const PATIENCE = 2000; // How many draws in a row may bring nothing new before the supply counts as exhausted.

/**
 * Up to `count` rows with distinct keys, in drawing order; `draw(i)` is called for i = 0, 1, … and may return null
 * ("not usable"). Fewer rows come back when the parameters do not allow more.
 */
export function uniqueRows<Row>(
  count: number,
  draw: (index: number) => Row | null,
  keyOf: (row: Row) => string,
): Row[] {
  const rows = new Map<string, Row>();
  for (let index = 0, idle = 0; rows.size < count && idle < PATIENCE; index++, idle++) {
    const row = draw(index);
    if (row === null || rows.has(keyOf(row))) continue;
    rows.set(keyOf(row), row);
    idle = 0;
  }
  return [...rows.values()];
}
