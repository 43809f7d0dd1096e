/** The order in which Python's `sorted` leaves items whose keys include NaN, which is neither less nor more. @module */

/** From so many items on Python merges runs, which is not repeated here (CPython Objects/listobject.c MAX_MINRUN). */
const MERGED = 64;

/**
 * `sorted(items, key=…, reverse=True)`: the list is reversed, sorted by `key < key` alone, and reversed again, so that
 * equal items keep their order. With NaN the result depends on which are compared: the first run, then binary
 * insertion (CPython 3.11 Objects/listobject.c `count_run`, `binarysort`). Of 64 items and more with NaN the order is
 * some other one.
 */
export function sortedDescending<T>(items: readonly T[], keyOf: (item: T) => number | string): T[] {
  const order = items.map((item) => ({ item, key: keyOf(item) })).reverse();
  const isLess = (a: (typeof order)[number], b: (typeof order)[number]) => a.key < b.key;
  if (order.length >= MERGED || !order.some(({ key }) => Number.isNaN(key))) {
    order.sort((a, b) => isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0);
  } else {
    for (let at = firstRun(order, isLess); at < order.length; at++) {
      const [pivot] = order.splice(at, 1);
      let left = 0, right = at;
      while (left < right) {
        const middle = (left + right) >> 1;
        if (isLess(pivot!, order[middle]!)) right = middle;
        else left = middle + 1;
      }
      order.splice(left, 0, pivot!);
    }
  }
  return order.reverse().map(({ item }) => item);
}

/** How many items at the start do not fall; those that fall, each below the one before, are turned round. */
function firstRun<T>(order: T[], isLess: (a: T, b: T) => boolean): number {
  const falls = (at: number) => isLess(order[at]!, order[at - 1]!);
  const isFalling = order.length > 1 && falls(1);
  let end = Math.min(2, order.length);
  while (end < order.length && falls(end) === isFalling) end++;
  if (isFalling) order.splice(0, end, ...order.slice(0, end).reverse());
  return end;
}
