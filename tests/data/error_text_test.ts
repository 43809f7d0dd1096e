import assert from "node:assert/strict";
import { firstLineOf, messageOf } from "../../data/error_text.ts";

Deno.test("messageOf() and firstLineOf() read errors and whatever else was thrown", () => {
  assert.deepEqual([new Error("a\nb"), "c\nd", null].map(messageOf), ["a\nb", "c\nd", "null"]);
  assert.deepEqual([new Error("a\nb"), "c\nd", null].map(firstLineOf), ["a", "c", "null"]);
});
