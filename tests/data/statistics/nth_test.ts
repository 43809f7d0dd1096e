import assert from "node:assert/strict";
import { uniform } from "../../../data/random.ts";
import { nth } from "../../../data/statistics/nth.ts";

const drawn = (at: number) => uniform(0, "nth", 0, 0, at);
const LISTS: Record<string, (at: number) => number> = {
  random: drawn,
  "three values": (at) => Math.floor(3 * drawn(at)),
  rising: (at) => at,
  falling: (at) => -at,
  equal: () => 7,
  "a roof": (at) => -Math.abs(at - 300),
  infinite: (at) => at % 5 === 0 ? Infinity : at % 7 === 0 ? -Infinity : at % 11,
  "some NaN": (at) => at % 3 === 0 ? NaN : -at,
};

for (const [name, valueAt] of Object.entries(LISTS)) {
  Deno.test(`nth() is what a sorted list has at a place, of values that are ${name}`, () => {
    for (const length of [1, 2, 64, 65, 66, 601]) {
      const values = Float64Array.from({ length }, (_, at) => valueAt(at)), sorted = values.toSorted();
      for (const place of [0, length >> 1, Math.floor(0.9 * length), length - 1]) {
        const moved = values.slice(), found = nth(moved, place);
        assert.equal(found, sorted[place], `${place} of ${length}`);
        assert(moved.subarray(0, place).every((value) => value <= found || Number.isNaN(found)));
        assert.deepEqual(moved.toSorted(), sorted);
      }
    }
  });
}

Deno.test("nth() of the first values leaves what stands behind them", () => {
  for (const first of [[3, 1, 2], [3, NaN, 2]]) {
    const values = new Float64Array([...first, 0, -1]);
    assert.equal(nth(values, 0, first.length), Math.min(...first.filter((value) => !Number.isNaN(value))));
    assert.deepEqual([...values.subarray(first.length)], [0, -1]);
  }
});
