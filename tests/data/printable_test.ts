import assert from "node:assert/strict";
import { printable } from "../../data/printable.ts";

Deno.test("printable() leaves one line that a terminal shows and does not obey", () => {
  assert.equal(printable("a\nb\x1b[2J\u009b31m"), "a⏎b\ufffd[2J\ufffd31m");
  for (const mark of ["\u202e", "\u2066", "\u2028", "\u2029", "\u061c", "\u007f", "\r", "\0"]) {
    assert.equal(printable(`a${mark}b`), "a\ufffdb", JSON.stringify(mark));
  }
  assert.equal(printable("a\tb"), "a b");
  assert.equal(printable("ü 漢 🙂"), "ü 漢 🙂");
});
