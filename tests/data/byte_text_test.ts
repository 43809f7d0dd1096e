import assert from "node:assert/strict";
import { byteText } from "../../data/byte_text.ts";

Deno.test("byteText() uses powers of 1000, and rounds before it chooses a unit", () => {
  assert.deepEqual([0, 999, 1536, 43_000_000].map(byteText), ["0 B", "999 B", "1.5 kB", "43 MB"]);
  assert.deepEqual([999.6, 9960, 999_600, 3.2e15].map(byteText), ["1.0 kB", "10 kB", "1.0 MB", "3200 TB"]);
});
