import assert from "node:assert/strict";
import { LIMITS } from "../../../data/datasets/limits.ts";
import { boundedUnpacking } from "../../../data/datasets/unpacking.ts";

async function* chunksThat(end?: Error, chunk = new Uint8Array(10), times = 2) {
  for (let i = 0; i < times; i++) yield await Promise.resolve(chunk);
  if (end !== undefined) throw end;
}

const total = async (chunks: AsyncIterable<Uint8Array>) =>
  (await Array.fromAsync(chunks)).reduce((sum, { length }) => sum + length, 0);

Deno.test("boundedUnpacking() passes bytes on, and says after how many of them an unpacker fails", async () => {
  assert.equal(await total(boundedUnpacking(chunksThat(), 5)), 20);
  const broken = boundedUnpacking(chunksThat(new TypeError("corrupt")), 5);
  await assert.rejects(total(broken), { name: "SyntaxError", message: /cut off after 20 bytes of text/ });
});

Deno.test("boundedUnpacking() stops what unpacks to far more than a text does", async () => {
  const chunk = new Uint8Array(LIMITS.unpackedFreely / 2);
  await assert.rejects(total(boundedUnpacking(chunksThat(undefined, chunk, 3), 1000)), {
    name: "RangeError",
    message: /it unpacks to more than 100 MB from 1,/,
  });
});
