import assert from "node:assert/strict";
import {
  contains,
  equal,
  floatText,
  floatValue,
  jsonText,
  valueOf,
  written,
} from "../../../../data/hub/templates/python_values.ts";

Deno.test("equal() and contains() compare as Python, by type and by what lists and dicts hold", () => {
  assert.equal(equal(valueOf("0"), valueOf(false)), false);
  assert.equal(equal(valueOf(1), valueOf(true)), true);
  assert.equal(equal(valueOf({ a: [1] }), valueOf({ a: [1] })), true);
  assert.equal(equal(valueOf({ a: [1] }), valueOf({ a: [2] })), false);
  assert.equal(contains(valueOf([[1]]), valueOf([1])), true);
  assert.equal(contains(valueOf(["1"]), valueOf(1)), false);
  assert.throws(() => contains(valueOf("1"), valueOf(1)), /looks for a integer in a string/);
});

Deno.test("floatText() and jsonText() write numbers as Python", () => {
  assert.deepEqual([1, 1e16, 1e-7, 0.0001, -0, NaN, 1.5e300].map(floatText), [
    "1.0",
    "1e+16",
    "1e-07",
    "0.0001",
    "-0.0",
    "nan",
    "1.5e+300",
  ]);
  const style = { indent: null, ascii: true, sorted: true, separators: [", ", ": "] as const };
  assert.equal(jsonText(valueOf({ b: "é", B: [1e-7] }), style), '{"B": [1e-07], "b": "\\u00e9"}');
  assert.equal(written(floatValue(2)), "2.0");
});
