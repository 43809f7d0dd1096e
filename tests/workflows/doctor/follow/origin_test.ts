import assert from "node:assert/strict";
import { followedFile, pause, streamPieces } from "../../../../workflows/doctor/follow/origin.ts";
import { collected } from "./collected.ts";

Deno.test("streamPieces() gives what a stream gives, until its end", async () => {
  const chunks = ["one\n", "tw", "o"].map((text) => new TextEncoder().encode(text));
  const stream = {
    read(buffer: Uint8Array) {
      const chunk = chunks.shift();
      if (chunk === undefined) return Promise.resolve(null);
      buffer.set(chunk);
      return Promise.resolve(chunk.length);
    },
  };
  const texts = await collected(streamPieces(stream, { path: "-", name: "stdin", beside: [] }), []);
  assert.deepEqual(texts, ["open -", "+one\n", "+tw", "+o"]);
});

Deno.test("followedFile() calls a file as it is shown, its name in lower case", () => {
  assert.deepEqual(followedFile("/a/B.Log", { shown: () => "B.Log" }), { path: "B.Log", name: "b.log", beside: [] });
  assert.equal(followedFile("/a/B.Log", {}).path, "/a/B.Log");
});

Deno.test("pause() is over when it is stopped, and leaves no listener behind", async () => {
  const stop = new AbortController(), waiting = pause({ stop: stop.signal });
  stop.abort();
  await waiting;
  await pause({ stop: stop.signal });
});
