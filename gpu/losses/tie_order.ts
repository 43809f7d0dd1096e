/** Which of equal keys torch.topk takes on the CPU: KL-Cov chooses among equals where advantages are. @module */

/** The slices that torch sorts by heap: k times this is at most their length. */
const HEAP_FACTOR = 64;

/**
 * The place of each counted token in the order in which torch.topk takes `count` of them when their keys are all equal (all
 * advantages the same, or one NaN): float [B][T], 0 first; tokens that do not count come last.
 * Source: libstdc++ `partial_sort` and `nth_element`, which ATen/native/TopKImpl.h calls.
 */
export function tieOrder(mask: readonly ArrayLike<number>[], fraction: number): Float32Array[] {
  const tokens = mask.reduce((sum, row) => sum + Array.from(row).filter((m) => m > 0).length, 0);
  const places = new Float32Array(tokens);
  takenFirst(tokens, Math.max(1, Math.floor(tokens * fraction))).forEach((token, place) => places[token] = place);
  let token = 0;
  return mask.map((row) => Float32Array.from(row, (m) => m > 0 ? places[token++]! : tokens));
}

/** Numbers below `size` as they lie after the selection of the `count` largest of equal keys. */
function takenFirst(size: number, count: number): number[] {
  const order = Array.from({ length: size }, (_, i) => i);
  if (count * HEAP_FACTOR <= size) return order;
  const swap = (a: number, b: number) => [order[a], order[b]] = [order[b]!, order[a]!];
  let first = 0, last = size;
  // Of equal keys the pivot is always the one in the middle, and each partition swaps every pair from outside inwards.
  while (last - first > 3) {
    swap(first, first + Math.floor((last - first) / 2));
    let low = first + 1, high = last - 1;
    for (; low < high; low++, high--) swap(low, high);
    if (low <= count - 1) first = low;
    else last = low;
  }
  return order;
}
