import assert from "node:assert/strict";
import { escapeHtml, plainText } from "../../notebooks/plain_text.ts";

Deno.test("plainText() keeps letters of any script, tabs and lines, and shows controls and halves of characters", () => {
  assert.equal(plainText("a\tb\r\nß 東 \u{1f600}\ufffd"), "a\tb\r\nß 東 \u{1f600}\ufffd");
  for (const code of [0, 8, 11, 27, 31, 127, 155, 0xd800, 0xdfff, 0xffff]) {
    assert.equal(plainText(`<${String.fromCharCode(code)}>`), "<\ufffd>", String(code));
  }
});

Deno.test("escapeHtml() is safe as text and between either quotes", () => {
  assert.equal(escapeHtml(`<a href="x">'&'\u0000`), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;\ufffd");
});
