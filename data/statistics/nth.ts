/** The value that would stand at a place of a sorted list, without sorting it all. @module */

const FEW = 64; // Values that are sorted at once.
const ROUNDS = 100; // Cuts of an ordinary list of 2^53 values are fewer.

/**
 * The value at a place of the first `count` values in ascending order, NaN behind all others. They are moved: those before
 * the place are at most as large.
 */
export function nth(values: Float64Array, place: number, count = values.length): number {
  if (hasNaN(values, count)) return values.subarray(0, count).sort()[place]!;
  let from = 0, to = count - 1;
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
  if (to - from > FEW) values.subarray(from, to + 1).sort();
  else sortFew(values, from, to);
  return values[place]!;
}

/** The middle one of three. */
function cutOf(values: Float64Array, from: number, to: number): number {
  const a = values[from]!, b = values[(from + to) >> 1]!, c = values[to]!;
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** By insertion: a call of `sort` costs as much as all of it. */
function sortFew(values: Float64Array, from: number, to: number): void {
  for (let next = from + 1; next <= to; next++) {
    const value = values[next]!;
    let at = next;
    for (; at > from && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}

function hasNaN(values: Float64Array, count: number): boolean {
  for (let at = 0; at < count; at++) if (Number.isNaN(values[at]!)) return true;
  return false;
}
