/** Sizes of memory as a workflow writes them. */
import assert from "node:assert/strict";
import { memoryBytes, memoryProblems } from "../../../steps/options/memory_size.ts";

Deno.test("memoryBytes() reads decimal and binary units, and refuses everything else by name", () => {
  const sizes = { "8GiB": 8 * 2 ** 30, "1.5 GB": 1.5e9, "6000MB": 6e9, "512MiB": 2 ** 29, "3KB": 3000, "3KiB": 3072 };
  for (const [text, bytes] of Object.entries(sizes)) assert.equal(memoryBytes(text), bytes, text);
  for (const text of ["8", "8G", "8gb", "0GB", "-1GB", "GB", "8GiB of it", "1e3MB"]) {
    assert.match(memoryProblems(text)[0]!, /^Cannot read memory ".*": want a number above 0 with KB, .* GiB, as 8GiB$/);
  }
  assert.deepEqual([memoryProblems("8GiB"), memoryProblems(undefined)], [[], []]);
});
