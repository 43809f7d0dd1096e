import assert from "node:assert/strict";
import { uniform } from "../../../../data/random.ts";
import { sortedDescending } from "../../../../steps/rewards/visual_rft/python_sort.ts";

const orderOf = (keys: readonly number[]) => sortedDescending(keys.map((key, i) => ({ key, i })), ({ key }) => key);

/** What CPython 3.11 says of `[i for i, _ in sorted(enumerate(keys), key=lambda x: x[1], reverse=True)]`. */
const PYTHON: readonly (readonly [keys: readonly number[], order: readonly number[]])[] = [
  [[NaN, 0.1], [0, 1]],
  [[0.1, NaN], [0, 1]],
  [[NaN, 0.5, 0.5], [0, 1, 2]],
  [[0.4, NaN, 0.5], [0, 1, 2]],
  [[0.4, NaN, NaN, 0.1], [0, 1, 2, 3]],
  [[0.4, NaN, 0.5, 0.9], [1, 3, 2, 0]],
  [[0, NaN, 0.5, NaN], [0, 1, 2, 3]],
  [[0.25, NaN, 0.5, 0.25, 0.25], [0, 1, 2, 3, 4]],
  [[0.5, 0, NaN, 2, 0.7, 0.25], [0, 1, 2, 3, 4, 5]],
  [[0.5, NaN, 0.1, 0.5, 0.4], [0, 1, 3, 4, 2]],
  [[0.9, 0.2, 0.5, NaN, NaN], [0, 2, 1, 3, 4]],
  [[0.5, 0.3, NaN, NaN, 0.8, 0.9], [0, 1, 2, 3, 5, 4]],
  [[0.4, 0.1, 0.9, NaN, 0.2, NaN, 0.4, 0.6], [2, 0, 1, 3, 5, 7, 6, 4]],
  [[0.1, 0.4, NaN, NaN, 0, 0.8, 0.2, 0.5], [2, 3, 5, 7, 1, 6, 0, 4]],
  [[NaN, 0.2, 0.3, 0.1, NaN, NaN, NaN, 0.5, NaN, 0.9, 0.8, 0.2], [0, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
];

Deno.test("sortedDescending() leaves NaN where Python's sorted leaves it", () => {
  for (const [keys, order] of PYTHON) assert.deepEqual(orderOf(keys).map(({ i }) => i), order, `${keys}`);
});

Deno.test("sortedDescending() is descending and stable without NaN, and loses nothing of many with", () => {
  for (let n = 0; n < 90; n++) {
    const keys = Array.from({ length: n }, (_, i) => Math.floor(uniform(1, "sort", 0, n, i) * 9));
    const want = keys.map((key, i) => ({ key, i })).sort((a, b) => b.key - a.key || a.i - b.i);
    assert.deepEqual(orderOf(keys), want);
    const some = keys.map((key) => key === 0 ? NaN : key);
    assert.deepEqual(orderOf(some).map(({ i }) => i).sort((a, b) => a - b), keys.map((_, i) => i));
  }
  assert.deepEqual(sortedDescending(["b", "a", "c"], (text) => text), ["c", "b", "a"]);
});
