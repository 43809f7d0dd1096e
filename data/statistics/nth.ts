/** The value that would stand at a place of a sorted list, without sorting it all. @module */

const FEW = 64; // Values that are sorted at once.
const ROUNDS = 100; // Cuts of an ordinary list of 2^53 values are fewer.

/**
 * The value at a place of the values in ascending order, NaN behind all others. They are moved: those before the place are
 * at most as large.
 */
export function nth(values: Float64Array, place: number): number {
  if (hasNaN(values)) return values.sort()[place]!;
  let from = 0, to = values.length - 1;
  for (let round = 0; to - from > FEW && round < ROUNDS; round++) {
    const cut = cutOf(values, from, to);
    let low = from, high = to;
    while (low <= high) {
      while (values[low]! < cut) low++;
      while (values[high]! > cut) high--;
      if (low > high) break;
      const moved = values[low]!;
      values[low++] = values[high]!;
      values[high--] = moved;
    }
    if (place <= high) to = high;
    else if (place >= low) from = low;
    else return values[place]!;
  }
  values.subarray(from, to + 1).sort();
  return values[place]!;
}

/** The middle one of three. */
function cutOf(values: Float64Array, from: number, to: number): number {
  const a = values[from]!, b = values[(from + to) >> 1]!, c = values[to]!;
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function hasNaN(values: Float64Array): boolean {
  for (const value of values) if (Number.isNaN(value)) return true;
  return false;
}
