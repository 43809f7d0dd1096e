import assert from "node:assert/strict";
import { floatKeys, jsonWithFloats } from "../../../data/hub/python_floats.ts";

Deno.test("floatKeys() finds what is written with a fraction or an exponent, in lists and in objects too", () => {
  const text =
    `{"a": 30.0, "b": 30, "c": {"d" : 1e4, "e": "2.0", "f": true}, "g": [1, 2.0], "h": [1, 2], "i": "x: 3.0"}`;
  assert.deepEqual([...floatKeys(text)], ["a", "d", "g"]);
});

Deno.test("jsonWithFloats() writes whole numbers of those keys with .0, and leaves all others as JSON has them", () => {
  const value = { a: 30, b: 30, c: { d: 10000, e: "2" }, g: [1, 2, 0.5], h: [1], i: null, j: -0.5, k: 1e21 };
  const text = jsonWithFloats(value, new Set(["a", "d", "g", "i", "j", "k", "e"]));
  assert.deepEqual(JSON.parse(text), value);
  const flat = text.replace(/\s+/g, "");
  assert.equal(
    flat,
    '{"a":30.0,"b":30,"c":{"d":10000.0,"e":"2"},"g":[1.0,2.0,0.5],"h":[1],"i":null,"j":-0.5,"k":1e+21}',
  );
  assert.equal(jsonWithFloats({ final_logit_softcapping: 30 }), '{\n  "final_logit_softcapping": 30.0\n}\n');
});
