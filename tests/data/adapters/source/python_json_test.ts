import assert from "node:assert/strict";
import { numberOf, parseObject } from "../../../../data/adapters/source/python_json.ts";

Deno.test("parseObject() knows Python's NaN and refuses what is no object", () => {
  assert.equal(parseObject('{"a": NaN}')!.a, "\u0000NaN");
  assert.equal(parseObject('{"a": "x NaN y"}')!.a, "x NaN y");
  assert.equal(parseObject("[1]"), null);
  assert.equal(parseObject('{"a": 1'), null);
});

Deno.test("numberOf() keeps NaN, knows booleans, and is null for the rest", () => {
  assert.deepEqual([1.5, true, false, "NaN", "\u0000-Infinity", null, "x", undefined].map(numberOf), [
    1.5,
    1,
    0,
    NaN,
    -Infinity,
    null,
    null,
    null,
  ]);
});
