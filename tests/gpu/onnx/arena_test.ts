import assert from "node:assert/strict";
import { Arena } from "../../../gpu/onnx/arena.ts";

const KB = 1024;

Deno.test("Arena takes a free piece again, the smallest that is large enough", () => {
  const arena = new Arena(), [a, b] = [arena.take(8 * KB), arena.take(6 * KB)];
  arena.give(a);
  arena.give(b);
  arena.take(5 * KB);
  arena.take(8 * KB);
  assert.equal(arena.bytes, 14 * KB);
});

Deno.test("Arena cuts a piece that is twice as large, and joins what was one piece", () => {
  const arena = new Arena(), whole = arena.take(8 * KB);
  arena.give(whole);
  const first = arena.take(4 * KB), second = arena.take(4 * KB);
  assert.equal(arena.bytes, 8 * KB, "both from the one");
  arena.give(first);
  arena.give(second);
  arena.take(8 * KB);
  assert.equal(arena.bytes, 8 * KB, "one again");
});

Deno.test("Arena asks for more where free pieces lie apart, and gives a piece whole that is not twice as large", () => {
  const arena = new Arena(), [a, b] = [arena.take(4 * KB), arena.take(4 * KB)];
  arena.give(a);
  arena.give(b);
  arena.take(8 * KB);
  assert.equal(arena.bytes, 16 * KB, "the two are no neighbours");
  arena.take(3 * KB);
  arena.take(KB);
  assert.equal(arena.bytes, 16 * KB);
  arena.take(KB);
  assert.equal(arena.bytes, 16 * KB, "of the second piece 3 are left");
});

Deno.test("Arena rounds up to 256 bytes", () => {
  const arena = new Arena();
  arena.take(1);
  arena.take(257);
  assert.equal(arena.bytes, 768);
});
