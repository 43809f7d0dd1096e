/** Numbers that JSON cannot hold come back. @module */
import assert from "node:assert/strict";
import { decodeExact, encodeExact } from "../../../workflows/store/exact_json.ts";

Deno.test("decodeExact() gives back NaN, infinities, -0 and every double", () => {
  const value = { a: [NaN, Infinity, -Infinity, -0, 0, 0.1, 5e-324, 2 ** 53], b: null, c: { text: "NaN" } };
  const back = decodeExact(encodeExact(value));
  assert.deepEqual(back, value);
  assert.ok(Object.is((back as typeof value).a[3], -0));
  assert.ok(Object.is((back as typeof value).a[4], 0));
});
