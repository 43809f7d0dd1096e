import assert from "node:assert/strict";
import { compiledPattern, pieces } from "../../../../data/hub/tokenizer/pattern.ts";

Deno.test("compiledPattern() reads Oniguruma's white space, cases and classes", () => {
  const found = (Regex: string, text: string) =>
    pieces(text, compiledPattern({ Regex }, "x")).filter((p) => p.isMatch).map((p) => p.text);
  assert.deepEqual(found("\\s+", "a\u0085\u00a0b\ufeff"), ["\u0085\u00a0"]);
  assert.deepEqual(found("(?i:'s|'T)", "'S 't 'x"), ["'S", "'t"]);
  assert.deepEqual(found("[^\\r\\n\\p{L}\\p{N}]?\\p{L}+", "a b\nc"), ["a", " b", "c"]);
  assert.deepEqual(found("\\p{N}{1,3}", "12345"), ["123", "45"]);
});

Deno.test("pieces() covers the text; a text is taken letter by letter", () => {
  assert.deepEqual(pieces("a.b", compiledPattern({ String: "." }, "x")), [
    { text: "a", isMatch: false },
    { text: ".", isMatch: true },
    { text: "b", isMatch: false },
  ]);
  assert.deepEqual(pieces("ab", compiledPattern({ String: "" }, "x")), [{ text: "ab", isMatch: false }]);
  assert.deepEqual(pieces("", /a/g), []);
  assert.throws(() => compiledPattern({}, "x"), /x is \{\}, want a String or a Regex/);
});
