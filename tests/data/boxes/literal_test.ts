import assert from "node:assert/strict";
import { readLiteral } from "../../../data/boxes/literal.ts";

Deno.test("readLiteral() reads JSON as JSON.parse does", () => {
  for (const text of ['[{"a": [1, -2.5, 3e2], "b": null}, true, "x y", ""]', "{}", "[]", " 7 ", '{"a": {"b": [[]]}}']) {
    assert.deepEqual(readLiteral(text), { value: JSON.parse(text) }, text);
  }
});

Deno.test("readLiteral() reads what Python prints", () => {
  const value = (text: string) => (readLiteral(text) as { value: unknown }).value;
  assert.deepEqual(value("[{'a': (1, 2), 'b': None}, True, False]"), [{ a: [1, 2], b: null }, true, false]);
  assert.deepEqual(value("[1., .5, +2, -inf, nan, -NaN, Infinity,]"), [1, .5, 2, -Infinity, NaN, NaN, Infinity]);
  assert.deepEqual(value(String.raw`{'it\'s': "a \"b\""}`), { "it's": 'a "b"' });
  assert.equal(Object.getPrototypeOf(value("{'__proto__': [1]}")), Object.prototype);
});

Deno.test("readLiteral() says where a text is no value, and never throws", () => {
  const wrong: Record<string, RegExp> = {
    "": /^the end at character 1, want a value$/,
    "[1 2]": /^"2\]" at character 4, want "," or "\]"$/,
    "[1] x": /^"x" at character 5, want the end$/,
    "{a: 1}": /^"a: 1}" at character 2, want a key in quotes$/,
    "{'a' 1}": /want ":"$/,
    "['a": /want a closing '$/,
    "['a\\": /want a closing '$/,
    "[-None]": /want a value$/,
    "[٣]": /want a value$/,
    "[toString]": /want a value$/,
    "[,]": /want a value$/,
  };
  for (const [text, want] of Object.entries(wrong)) {
    assert.match((readLiteral(text) as { problem: string }).problem, want, text);
  }
  const deep = (lists: number) => readLiteral(`${"[".repeat(lists)}7${"]".repeat(lists)}`);
  assert.deepEqual(deep(8), { value: [[[[[[[[7]]]]]]]] });
  assert.deepEqual(deep(9), { problem: "lists more than 8 deep" });
  assert.deepEqual(readLiteral("[".repeat(1e5)), { problem: "lists more than 8 deep" });
});
