import assert from "node:assert/strict";
import { inPython, strip } from "../../../../steps/rewards/visual_rft/python_text.ts";

/** `[hex(c) for c in range(0x110000) if chr(c).isspace()]` of CPython 3.11; `re.fullmatch(r"\s", chr(c))` has the same. */
const PYTHON = new Set([
  ...[0x9, 0xa, 0xb, 0xc, 0xd, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680],
  ...Array.from({ length: 11 }, (_, i) => 0x2000 + i),
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
]);

Deno.test("strip() and inPython() have Python's white space, of every character", () => {
  const space = new RegExp(`^${inPython(String.raw`a\s*b`)}$`);
  for (let code = 0; code < 0x10000; code++) {
    const one = String.fromCharCode(code), is = PYTHON.has(code);
    assert.equal(strip(`${one}a${one}`), is ? "a" : `${one}a${one}`, code.toString(16));
    assert.equal(space.test(`a${one}b`), is, code.toString(16));
  }
});

Deno.test("strip() keeps what is inside, and takes time in proportion to the text", () => {
  assert.equal(strip(" \n a \x85 b\u3000"), "a \x85 b");
  assert.equal(strip(" \x1c"), "");
  const inside = `a${" ".repeat(1e6)}b`;
  assert.equal(strip(inside), inside);
});
