import assert from "node:assert/strict";
import { SampleStream } from "../../../workflows/cli/sample_stream.ts";

/** What a stream of bytes as ids writes, call by call. */
function written(texts: readonly (readonly number[])[]): string[] {
  const out: string[] = [], decode = (ids: ArrayLike<number>) => new TextDecoder().decode(Uint8Array.from(ids));
  const stream = new SampleStream({ write: (text) => void out.push(text), style: (text) => text }, decode);
  for (const ids of texts) stream.show(ids);
  stream.end();
  return out;
}

const bytes = (text: string) => [...new TextEncoder().encode(text)];

Deno.test("SampleStream writes what is new of a completion, on one line, and ends it", () => {
  assert.deepEqual(written(["6", "6*8", "6*8", "6*8=48\n"].map(bytes)), ["6", "*8", "=48⏎", "\n\n"]);
});

Deno.test("SampleStream writes a character once all its bytes are there, and no control character", () => {
  const euro = bytes("1€\x1b[31m");
  assert.deepEqual(written([1, 2, 3, 4, euro.length].map((count) => euro.slice(0, count))), [
    "1",
    "€",
    "�[31m",
    "\n\n",
  ]);
});

Deno.test("SampleStream writes nothing where nothing came, and nothing more once the text was changed behind it", () => {
  assert.deepEqual(written([[], []]), []);
  assert.deepEqual(written(["ab", "xb"].map(bytes)), ["ab", "\n\n"]);
});
