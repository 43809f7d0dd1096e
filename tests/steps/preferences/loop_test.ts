import assert from "node:assert/strict";
import type { Example } from "../../../steps/preferences/examples.ts";
import { batchesOf, type Loop, loopOf, requireBothClasses } from "../../../steps/preferences/loop.ts";

const EXAMPLES: Example[] = Array.from({ length: 11 }, (_, row) => ({
  row,
  prompt: Int32Array.of(1),
  completions: [Int32Array.of(2)],
  label: (row % 2) as 0 | 1,
}));
const rows = (update: number, loop: Loop) =>
  batchesOf(EXAMPLES, update, loop, 7).map((batch) => batch.map(({ row }) => row));

Deno.test("batchesOf() deals rows out in the table's order, and begins anew after those that fill an update", () => {
  const loop = loopOf(11, 2, 2, false);
  assert.equal(loop.updatesPerEpoch, 2);
  assert.deepEqual(rows(1, loop), [[0, 1], [2, 3]]);
  assert.deepEqual(rows(2, loop), [[4, 5], [6, 7]]);
  assert.deepEqual(rows(3, loop), rows(1, loop));
});

Deno.test("batchesOf() with shuffle has another order in each epoch, every row at most once in it", () => {
  const loop = loopOf(11, 5, 1, true), first = [rows(1, loop), rows(2, loop)].flat(2);
  assert.equal(new Set(first).size, 10);
  assert.deepEqual(rows(1, loop), rows(1, loop));
  assert.notDeepEqual(rows(3, loop), rows(1, loop));
});

Deno.test("loopOf() and requireBothClasses() refuse what cannot be dealt out", () => {
  assert.throws(() => loopOf(3, 2, 2, false), /split "train" has 3 rows, want at least 4/);
  requireBothClasses(EXAMPLES, loopOf(11, 2, 1, false), 7);
  const odd = EXAMPLES.filter(({ label }) => label === 1);
  assert.throws(() => requireBothClasses(odd, loopOf(5, 2, 1, false), 7), /a batch of update 1 has one class only/);
});
