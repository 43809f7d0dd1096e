import assert from "node:assert/strict";
import { bareScan, best, line, readAndJudge } from "./reading.ts";
import { READING_TEXTS } from "./reading/texts.ts";

const SIZE = 40_000;

for (const [name, text] of Object.entries(READING_TEXTS)) {
  if (name === "prose") continue;
  Deno.test(`readAndJudge() finds the records of "${name}", and the peer looks at as many lines at least`, async () => {
    const bytes = await text.bytes(SIZE), records = await readAndJudge(text.file, bytes);
    assert(records >= 15, `${records} records`);
    assert(bareScan(text.file, bytes) >= records);
  });
}

Deno.test("the prose of the posts is what people wrote, and is read", async () => {
  const bytes = await READING_TEXTS.prose.bytes();
  const text = new TextDecoder().decode(bytes);
  assert(text.length > 100_000 && !/[{}|`]/.test(text));
  assert(bareScan("prose.md", bytes) > 100);
});

Deno.test("best() takes the least of each, line() says it per MB, beside the peer and the first time", () => {
  assert.deepEqual(best([{ cpu: 2, wall: 3 }, { cpu: 1, wall: 9 }]), { cpu: 1, wall: 3 });
  const ours = { cpu: 0.5, wall: 1 }, peer = { cpu: 0.1, wall: 0.2 }, first = { cpu: 1, wall: 2 };
  assert.equal(
    line("trl", { kind: "log" }, 20, ours, peer, first),
    "trl      20.0 MB  ours 40.0 MB/s (20.0 MB/s by the clock), at first 20.0 MB/s; " +
      "peer 200.0 MB/s (100.0 MB/s by the clock); 5.0 times the peer's",
  );
  assert.match(
    line("prose", { kind: "prose" }, 2, ours, peer, first),
    /ours 0\.250 s\/MB \(0\.500 s\/MB by the clock\)/,
  );
  assert.match(line("state", { kind: "state" }, 2, ours, peer, first), /ours 0\.500 s \(1\.000 s by the clock\)/);
});
