import assert from "node:assert/strict";
import { PassOn } from "../../../workflows/terminal/pass_on.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("PassOn writes all bytes unchanged, also where they go in parts, and knows whether a line is open", async () => {
  const written: number[] = [];
  const passOn = new PassOn({
    write: (bytes) => (written.push(...bytes.subarray(0, 3)), Promise.resolve(Math.min(3, bytes.length))),
  });
  assert.equal(passOn.midLine, false);
  const all = Uint8Array.from([0, 255, 13, 10, 226, 150, 13]);
  await passOn.write(all);
  assert.deepEqual([written, passOn.midLine, passOn.closed], [[...all], true, null]);
  await passOn.write(bytes("x\n"));
  await passOn.write(new Uint8Array());
  assert.equal(passOn.midLine, false);
});

Deno.test("PassOn drops what comes when nobody reads any more, and where the disk is full", async () => {
  let asked = 0;
  const passOn = new PassOn({ write: () => (asked++, Promise.reject(new Deno.errors.BrokenPipe())) });
  await passOn.write(bytes("a"));
  await passOn.write(bytes("b"));
  assert.deepEqual([passOn.closed, asked], ["nobody reads it", 1]);
  const full = new PassOn({ write: () => Promise.reject(new Error("No space left on device (os error 28)")) });
  await full.write(bytes("a"));
  assert.match(full.closed!, /No space left/);
});
