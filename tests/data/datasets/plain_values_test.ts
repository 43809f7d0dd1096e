import assert from "node:assert/strict";
import { plainRow, plainValue } from "../../../data/datasets/plain_values.ts";

Deno.test("plainRow() makes cells that JSON could hold, and leaves bytes", () => {
  const bytes = new Uint8Array([1]);
  const row = {
    a: 2n,
    b: 2n ** 60n,
    c: new Date(0),
    d: [1n, new Map([["x", 1n]])],
    e: new Float32Array([1.5]),
    f: bytes,
  };
  const plain = { a: 2, b: "1152921504606846976", c: "1970-01-01T00:00:00.000Z", d: [1, { x: 1 }], e: [1.5], f: bytes };
  assert.deepEqual(plainRow(row), plain);
  assert.equal(plainValue(new Date(NaN)), null);
  assert.deepEqual(plainValue([undefined]), [null]);
});
