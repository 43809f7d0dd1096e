import assert from "node:assert/strict";
import { bucketLength, leftMask, longest, padFloats, padIds, placesOf, unpad } from "../../../gpu/models/padding.ts";

Deno.test("bucketLength() rounds up in few steps and is stable on its own values", () => {
  const pairs = [[1, 1], [4, 4], [7, 7], [9, 10], [17, 20], [31, 32], [33, 40], [64, 64], [65, 80], [129, 160], [
    300,
    320,
  ]];
  for (const [length, want] of pairs) assert.equal(bucketLength(length!), want, `${length}`);
  for (let length = 1; length < 3000; length++) {
    const bucket = bucketLength(length);
    assert(bucket >= length && (bucket - length) / length < 0.25, `${length}`);
    assert.equal(bucketLength(bucket), bucket, `${bucket}`);
  }
});

Deno.test("padIds() and leftMask() put padding where it is said, over what was there", () => {
  const rows = [[5, 6, 7], [8]], ids = new BigInt64Array(8).fill(9n), mask = new Float32Array(8).fill(9);
  padIds(ids, rows, 4, "left");
  assert.deepEqual([...ids], [0n, 5n, 6n, 7n, 0n, 0n, 0n, 8n]);
  padIds(ids, rows, 4, "right");
  assert.deepEqual([...ids], [5n, 6n, 7n, 0n, 8n, 0n, 0n, 0n]);
  leftMask(mask, rows, 4);
  assert.deepEqual([...mask], [0, 1, 1, 1, 0, 0, 0, 1]);
});

Deno.test("padFloats() and unpad() are each other's inverse", () => {
  const rows = [[1, 2, 3], [], [4]], padded = new Float32Array(9).fill(9);
  padFloats(padded, rows, 3);
  assert.deepEqual([...padded], [1, 2, 3, 0, 0, 0, 4, 0, 0]);
  assert.deepEqual(unpad(padded, 3, rows).map((row) => [...row]), rows);
  assert.equal(longest(rows), 3);
  assert.equal(longest([]), 1);
});

Deno.test("placesOf() goes on after the prompt in segment 0 and begins anew in every other", () => {
  assert.deepEqual(placesOf([[1, 2]], [[0, 0, 1, 1, 2]]).map((row) => Array.from(row)), [[2, 3, 0, 1, 0]]);
});
