/** Pairs rows with columns so that the sum of their gains is largest. @module */

/**
 * The column of each row, or null where it has none: an assignment of the largest total gain, each column taken at most
 * once. `gains` is a matrix of rows of one length, finite numbers ≥ 0; min(rows, columns) pairs are made, also of gain 0.
 * Throws a RangeError for a gain that is NaN.
 * O(n³): shortest augmenting paths with potentials (Jonker and Volgenant 1987; Kuhn 1955).
 */
export function bestAssignment(gains: readonly (readonly number[])[]): (number | null)[] {
  const rows = gains.length, columns = gains[0]?.length ?? 0;
  if (rows > columns) {
    const rowOf = bestAssignment(Array.from({ length: columns }, (_, c) => gains.map((row) => row[c]!)));
    const turned: (number | null)[] = gains.map(() => null);
    rowOf.forEach((row, column) => turned[row!] = column);
    return turned;
  }
  // Rows and columns count from 1; 0 is the column that stands for "none yet". A cost is minus a gain.
  const ofRow = new Float64Array(rows + 1), ofColumn = new Float64Array(columns + 1); // potentials
  const rowAt = new Int32Array(columns + 1), before = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row++) {
    const nearest = new Float64Array(columns + 1).fill(Infinity), isDone = new Uint8Array(columns + 1);
    rowAt[0] = row;
    let column = 0;
    do {
      isDone[column] = 1;
      const from = rowAt[column]!;
      let least = Infinity, next = 0;
      for (let c = 1; c <= columns; c++) {
        if (isDone[c]) continue;
        const cost = -gains[from - 1]![c - 1]! - ofRow[from]! - ofColumn[c]!;
        if (cost < nearest[c]!) [nearest[c], before[c]] = [cost, column];
        if (nearest[c]! < least) [least, next] = [nearest[c]!, c];
      }
      // Without a column to go on to, the search would never end.
      if (next === 0) throw new RangeError(`Cannot pair row ${from}: a gain is no number, want numbers ≥ 0`);
      for (let c = 0; c <= columns; c++) {
        if (isDone[c]) {
          ofRow[rowAt[c]!]! += least;
          ofColumn[c]! -= least;
        } else nearest[c]! -= least;
      }
      column = next;
    } while (rowAt[column] !== 0);
    // The path back: each column on it gives its row to the one after.
    while (column !== 0) {
      rowAt[column] = rowAt[before[column]!]!;
      column = before[column]!;
    }
  }
  const columnOf: (number | null)[] = gains.map(() => null);
  for (let c = 1; c <= columns; c++) if (rowAt[c] !== 0) columnOf[rowAt[c]! - 1] = c - 1;
  return columnOf;
}
