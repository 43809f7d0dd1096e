import assert from "node:assert/strict";
import { TextStream } from "../../../../data/hub/tokenizer/text_stream.ts";

/** Ids are bytes. */
const bytes = () => new TextStream((ids) => new TextDecoder().decode(Uint8Array.from(ids)));

Deno.test("TextStream holds half a character back, and gives it out at the end", () => {
  const stream = bytes(), parts = [...new TextEncoder().encode("aé😀b")].map((id) => stream.push(id));
  assert.deepEqual(parts, ["a", "", "é", "", "", "", "😀", "b"]);
  assert.deepEqual([stream.push(0xf0), stream.push(0x9f), stream.end(), stream.end()], ["", "", "\ufffd", ""]);
});

Deno.test("TextStream waits for no character without an end", () => {
  const stream = bytes(), parts = Array.from({ length: 12 }, () => stream.push(0xff));
  assert.equal(parts.join("") + stream.end(), "\ufffd".repeat(12));
  assert.notEqual(parts.join(""), "");
});
