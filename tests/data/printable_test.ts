import assert from "node:assert/strict";
import { printable, printableJson, printableLines } from "../../data/printable.ts";

Deno.test("printable() leaves one line that a terminal shows and does not obey", () => {
  assert.equal(printable("a\nb\x1b[2J\u009b31m"), "a⏎b\ufffd[2J\ufffd31m");
  for (const mark of ["\u202e", "\u2066", "\u2028", "\u2029", "\u061c", "\u007f", "\r", "\0"]) {
    assert.equal(printable(`a${mark}b`), "a\ufffdb", JSON.stringify(mark));
  }
  assert.equal(printable("a\tb"), "a b");
  assert.equal(printable("ü 漢 🙂"), "ü 漢 🙂");
});

Deno.test("printableLines() keeps lines and tabs, and colours where they are wanted", () => {
  const text = "a\tb\n\x1b[31mred\x1b[39m\x1b[2J\x1b]0;t\x07\r\u009b1m\u202e";
  assert.equal(printableLines(text, true), "a\tb\n\x1b[31mred\x1b[39m\ufffd[2J\ufffd]0;t\ufffd\ufffd\ufffd1m\ufffd");
  assert.equal(printableLines("\x1b[31mred", false), "\ufffd[31mred");
});

Deno.test("printableJson() means the same and has nothing that a terminal obeys", () => {
  const value = { a: "\x1b[2J\u009b1m\u202eb\u2028\x7f" }, json = printableJson(JSON.stringify(value));
  assert.match(json, /^[ -~]+$/);
  assert.deepEqual(JSON.parse(json), value);
});
