/** JSON from elsewhere. @module */
import assert from "node:assert/strict";
import { parseJson, parseJsonObject } from "../../data/strict_json.ts";

Deno.test("parseJson() reads what JSON.parse reads", () => {
  for (
    const text of ['{"a":[1,-2.5e3,"x\\"y\\u00e9",true,null,{"b":{}}],"c":"{\\"a\\":1,\\"a\\":2}"}', "[]", '"a"', " 1 "]
  ) {
    assert.deepEqual(parseJson(text, "x"), JSON.parse(text));
  }
});

Deno.test("parseJson() refuses duplicate keys, also escaped ones, at any depth", () => {
  for (const text of ['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"a\\"":1,"a\\"":2}', '[{"x":{"b":1,"b" : 2}}]']) {
    assert.throws(() => parseJson(text, "f.json"), /Cannot read f\.json: key "[ab](?:\\")?" stands twice/);
  }
  assert.deepEqual(parseJson('[{"a":1},{"a":"a"},{"b":["a","a"]}]', "x"), [{ a: 1 }, { a: "a" }, { b: ["a", "a"] }]);
});

Deno.test("parseJson() keeps its limits", () => {
  assert.throws(() => parseJson("[".repeat(101) + "]".repeat(101), "x"), /nested deeper than 100/);
  assert.throws(() => parseJson("[".repeat(200_000), "x"), /nested deeper/);
  assert.throws(() => parseJson('{"a":1,"b":2}', "x", { members: 1 }), /more than 1 members/);
  assert.throws(() => parseJson("[9007199254740993]", "x", { exactIntegers: true }), /beyond 2\^53/);
  assert.equal((parseJson("[9007199254740993]", "x") as number[])[0], 2 ** 53);
  for (const number of ["1.0", "-1", "1e0", "-0"]) {
    assert.throws(() => parseJson(`[${number}]`, "x", { naturalNumbers: true }), /no natural number/);
  }
  assert.throws(() => parseJson('["\\ud800"]', "x"), /lone surrogate/);
  assert.deepEqual(parseJson('["\\ud83d\\ude00"]', "x"), ["😀"]);
});

Deno.test("parseJson() says what is broken in one line; parseJsonObject() wants an object", () => {
  for (const text of ["", "{", '{"a":}', '{"a', "nul", '"\\x"', "\0", '{"a":1}x']) {
    assert.throws(
      () => parseJson(text, "f.json"),
      (error: Error) =>
        error instanceof SyntaxError && /^Cannot read f\.json: it is not JSON \(.*\)$/.test(error.message),
      text,
    );
  }
  assert.throws(() => parseJsonObject("[1]", "f"), /it is a list, want an object/);
  assert.throws(() => parseJsonObject("null", "f"), /it is null/);
});
