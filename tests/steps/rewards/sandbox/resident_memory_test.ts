import assert from "node:assert/strict";
import { MemoryReader } from "../../../../steps/rewards/sandbox/resident_memory.ts";

Deno.test({
  name: "MemoryReader.residentBytes() is this process's resident size as the system says, null for no process",
  ignore: Deno.build.os !== "linux",
  fn() {
    const reader = new MemoryReader();
    const read = reader.residentBytes(Deno.pid)!;
    const want = Deno.memoryUsage().rss;
    assert(Math.abs(read - want) < 0.2 * want, `${read} against ${want}`);
    assert.equal(reader.residentBytes(2 ** 30), null);
    reader.close();
  },
});
