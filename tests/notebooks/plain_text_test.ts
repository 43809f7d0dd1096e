import assert from "node:assert/strict";
import { plainText } from "../../notebooks/plain_text.ts";

Deno.test("plainText() keeps letters of any script, tabs and lines, and shows controls and halves of characters", () => {
  assert.equal(plainText("a\tb\r\nß 東 \u{1f600}\ufffd"), "a\tb\r\nß 東 \u{1f600}\ufffd");
  for (const code of [0, 8, 11, 27, 31, 127, 155, 0xd800, 0xdfff, 0xffff]) {
    assert.equal(plainText(`<${String.fromCharCode(code)}>`), "<\ufffd>", String(code));
  }
});
