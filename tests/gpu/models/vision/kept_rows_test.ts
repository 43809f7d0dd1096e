import assert from "node:assert/strict";
import { keptBytes, KeptRows } from "../../../../gpu/models/vision/kept_rows.ts";

/** Rows of three numbers, 12 bytes, made under an id; `made` is which were. */
function rows(kept: KeptRows) {
  const made: string[] = [];
  const get = (id: string) =>
    kept.get(id, () => {
      made.push(id);
      return Promise.resolve(Float32Array.of(1, 2, id.charCodeAt(0)));
    });
  return { made, get };
}

Deno.test("KeptRows makes what is not there, once", async () => {
  const kept = new KeptRows(), { made, get } = rows(kept);
  const first = await get("a");
  assert.equal(await get("a"), first);
  assert.deepEqual([...await get("b")], [1, 2, 98]);
  assert.deepEqual([made, kept.bytes], [["a", "b"], 24]);
});

Deno.test("KeptRows lets go of what was read longest ago, beyond its bound", async () => {
  const kept = new KeptRows(30), { made, get } = rows(kept);
  for (const id of ["a", "b", "a", "c", "a", "b"]) await get(id);
  assert.deepEqual(made, ["a", "b", "c", "b"]);
  assert.equal(kept.bytes, 24);
});

Deno.test("KeptRows keeps the last one even where it is larger than the bound, and no other beside it", async () => {
  const kept = new KeptRows(5), { made, get } = rows(kept);
  for (const id of ["a", "a", "b", "b"]) await get(id);
  assert.deepEqual([made, kept.bytes], [["a", "b"], 12]);
});

Deno.test("KeptRows counts what two callers made at once a single time", async () => {
  const kept = new KeptRows(), { get } = rows(kept);
  await Promise.all([get("a"), get("a")]);
  assert.equal(kept.bytes, 12);
});

Deno.test("KeptRows.clear() forgets everything", async () => {
  const kept = new KeptRows(), { made, get } = rows(kept);
  await get("a");
  kept.clear();
  assert.equal(kept.bytes, 0);
  await get("a");
  assert.deepEqual(made, ["a", "a"]);
});

Deno.test("keptBytes() is a small part of a memory budget, and bounded without one", () => {
  assert.equal(keptBytes(null), 1 << 28);
  assert.equal(keptBytes(null, 1000), 1000);
  assert.equal(keptBytes(3.2e9), 1e8);
  assert.equal(keptBytes(3.2e9, 1000), 1000);
  assert.equal(keptBytes(1e12), 1 << 28);
});
