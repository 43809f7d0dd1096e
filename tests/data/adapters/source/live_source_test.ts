import assert from "node:assert/strict";
import { HEAD, LiveSource } from "../../../../data/adapters/source/live_source.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Reads it as an adapter does, and what has been read so far. */
function reading(source: LiveSource) {
  const read: string[] = [];
  const whole = (async () => {
    for await (const chunk of source.chunks()) read.push(new TextDecoder().decode(chunk));
  })();
  return { read, whole };
}

Deno.test("LiveSource hands over what it is fed, and feed() resolves when it is read", async () => {
  const source = new LiveSource("-", "stdin", bytes("a")), { read, whole } = reading(source);
  await source.read();
  assert.deepEqual(read, ["a"]);
  for (const text of ["b", "c"]) {
    await source.feed(bytes(text));
    assert.equal(read.at(-1), text);
  }
  source.close();
  await whole;
});

Deno.test("LiveSource that is closed keeps nothing of what it is fed: nobody reads any more", async () => {
  const source = new LiveSource("-", "stdin", bytes("a")), { read, whole } = reading(source);
  source.close();
  await whole;
  await source.feed(bytes("b"));
  assert.deepEqual(read, ["a"]);
  assert.deepEqual(await Array.fromAsync(source.chunks()), []);
});

Deno.test("LiveSource gives its bytes at its end, and refuses too many; the head is the first 64 KiB", async () => {
  const source = new LiveSource("-", "stdin", new Uint8Array(HEAD + 1)), whole = source.bytes(HEAD + 2);
  await source.read();
  await source.feed(bytes("b"));
  source.close();
  assert.deepEqual([(await whole).length, source.head.length], [HEAD + 2, HEAD]);
  const small = new LiveSource("-", "stdin", bytes("abc"));
  small.close();
  await assert.rejects(small.bytes(2), /Cannot read - at once: it has over 2 bytes/);
});
