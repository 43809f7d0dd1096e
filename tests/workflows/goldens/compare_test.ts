import assert from "node:assert/strict";
import { compare, reachesBeyond } from "../../../workflows/goldens/compare.ts";
import type { Data } from "../../../workflows/goldens/topic.ts";

const TOLERANCE = { relative: 1e-6, absolute: 1e-9 };
const place = (want: Data, got: unknown, counted?: Data) => compare(want, got, TOLERANCE, counted).difference?.place;

Deno.test("compare() takes what is near, in lists and objects, and names the first value that is not", () => {
  assert.equal(
    place({ loss: 1, grad: [[1, 2], [3, 4]] }, { loss: 1 + 9e-7, grad: [[1, 2], [3, 4]], more: 5 }),
    undefined,
  );
  assert.equal(place({ loss: 1, grad: [[1, 2], [3, 4]] }, { loss: 1, grad: [[1, 2], [3, 4.1]] }), "grad[1][1]");
  assert.equal(place({ metrics: { kl: 1 } }, { metrics: { kl: 1.000002 } }), "metrics.kl");
  assert.equal(place(5, 6), "value");
  assert.equal(place([1, 2], Float64Array.of(1, 2)), undefined);
});

Deno.test("compare() takes NaN for NaN, an infinity for itself, null for nothing, and no value for another kind", () => {
  for (const value of [NaN, Infinity, -Infinity, null, true, "text", 0]) {
    assert.equal(place([value], [value]), undefined);
  }
  assert.equal(place([0], [-0]), undefined);
  assert.equal(place([null], [undefined]), undefined);
  for (const [want, got] of [[NaN, 0], [0, NaN], [Infinity, 1e300], [Infinity, -Infinity], [null, 0], [0, null]]) {
    assert.equal(place([want!], [got]), "[0]", `${want} ${got}`);
  }
  for (
    const [want, got] of [[1, "1"], [true, 1], ["a", "b"], [[1, 2], [1]], [[1], 1], [{ a: 1 }, [1]], [{ a: 1 }, {}]]
  ) {
    assert(place(want as Data, got), `${JSON.stringify(want)} ${JSON.stringify(got)}`);
  }
});

Deno.test("compare() measures an error so that the tolerance is its limit", () => {
  const { error } = compare([2, 0], [2 + 2e-6, 0], TOLERANCE);
  assert(Math.abs(error - 1e-6) < 1e-8, `${error}`);
  assert(Math.abs(compare(0, 1e-9, TOLERANCE).error - 1e-6) < 1e-12);
  assert.equal(compare({ a: 1 }, {}, TOLERANCE).error, Infinity);
  const absolute = { relative: 0, absolute: 1e-3 };
  assert.deepEqual(compare(100, 100.0009, absolute).difference, null);
  assert(compare(100, 100.0011, absolute).difference);
  assert(compare([1, 2], [1, 3], { relative: 0, absolute: 0 }).difference);
});

Deno.test("compare() leaves out what does not count", () => {
  assert.equal(place({ a: [[1, 7], [3, 8]] }, { a: [[1, 0], [3, 0]] }, { a: [[1, 0], [1, 0]] }), undefined);
  assert.equal(place({ a: [[1, 7]], b: [7] }, { a: [[1, 0]], b: [0] }, { a: [[1, 0]] }), "b[0]");
  assert.equal(place({ a: [[1, 7], [3, 8]] }, { a: [[1, 0], [0, 0]] }, { a: [0, 1] }), "a[1][0]");
});

Deno.test("reachesBeyond() finds a large finite number anywhere", () => {
  assert(reachesBeyond({ a: [0, [-1e21]] }, 1e20));
  assert(!reachesBeyond({ a: [0, [Infinity, NaN, null, "1e30", 1e20]] }, 1e20));
});
