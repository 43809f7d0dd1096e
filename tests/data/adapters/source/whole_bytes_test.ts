import assert from "node:assert/strict";
import { wholeBytes } from "../../../../data/adapters/source/whole_bytes.ts";

Deno.test("wholeBytes() joins what comes, and stops where it is more than wanted", async () => {
  let given = 0;
  async function* chunks() {
    for (; given < 5; given++) yield await Promise.resolve(Uint8Array.of(given));
  }
  assert.deepEqual(await wholeBytes(chunks(), "a.log", 5), Uint8Array.of(0, 1, 2, 3, 4));
  given = 0;
  await assert.rejects(wholeBytes(chunks(), "a.log", 2), /^RangeError: Cannot read a.log at once: it has over 2 bytes/);
  assert.equal(given, 2);
});
