import assert from "node:assert/strict";
import { briefly, firstLineOf, messageOf } from "../../data/error_text.ts";

Deno.test("messageOf() and firstLineOf() read errors and whatever else was thrown", () => {
  assert.deepEqual([new Error("a\nb"), "c\nd", null].map(messageOf), ["a\nb", "c\nd", "null"]);
  assert.deepEqual([new Error("a\nb"), "c\nd", null].map(firstLineOf), ["a", "c", "null"]);
});

Deno.test("briefly() leaves a text that fits, and keeps both ends of another, whole characters alone", () => {
  assert.equal(briefly("a".repeat(100)), "a".repeat(100));
  assert.equal(briefly(`${"a".repeat(500)}.png`, 40), `${"a".repeat(19)}…${"a".repeat(16)}.png`);
  assert.equal(briefly(`a${"😀".repeat(1e6)}`).length, 100);
  assert(briefly(`a${"😀".repeat(1e6)}`).isWellFormed() && briefly("😀".repeat(1e6)).isWellFormed());
});
