/** What is left of a memory budget, and how much of a batch fits it. */
import assert from "node:assert/strict";
import { atOnce, budgetFor, MemoryBudget, PROCESS_BYTES, usable } from "../../../gpu/ort/memory_budget.ts";

Deno.test("atOnce() takes the most that fits, in turns of about the same size", () => {
  const straight = (count: number) => 10 + 5 * count;
  assert.equal(atOnce(14, 8, straight), 0, "not one");
  assert.equal(atOnce(15, 8, straight), 1);
  assert.equal(atOnce(1000, 8, straight), 8, "all");
  assert.equal(atOnce(45, 8, straight), 4, "7 would fit: two turns of 4 are as few");
  assert.equal(atOnce(35, 8, straight), 4, "5 would fit");
  assert.equal(atOnce(30, 8, straight), 4);
  assert.equal(atOnce(25, 8, straight), 3);
  assert.equal(atOnce(15, 1, straight), 1);
});

Deno.test("atOnce() never takes more than fits, where bytes bend away from the line through 1 and 2", () => {
  for (const power of [0.8, 1, 1.3]) {
    const bytesOf = (count: number) => 100 * count ** power;
    for (let free = 50; free < 5000; free += 173) {
      const count = atOnce(free, 40, bytesOf);
      assert(count === 0 ? bytesOf(1) > free : bytesOf(count) <= free, `${power}, ${free}: ${count}`);
      if (power === 1) {
        assert.equal(
          Math.ceil(40 / Math.max(count, 1)),
          Math.ceil(40 / Math.max(1, Math.min(40, Math.floor(free / 100)))),
        );
      }
    }
  }
});

Deno.test("MemoryBudget counts each owner once, as large as it is now, until it lets go", () => {
  const budget = new MemoryBudget(400e6),
    kept = 0.05 * 400e6,
    free = 400e6 - kept - PROCESS_BYTES,
    one = {},
    other = {};
  let size = 30;
  budget.hold(one, () => size);
  budget.hold(other, () => 5);
  budget.hold(other, () => 6);
  assert.equal(budget.free, free - 36);
  size = 40;
  assert.equal(budget.free, free - 46);
  budget.letGo(one);
  budget.letGo(one);
  assert.equal(budget.free, free - 6);
});

Deno.test("MemoryBudget.wantedFor() is the budget in which so many bytes have room", () => {
  const budget = new MemoryBudget(400e6), held = 30e6;
  budget.hold(budget, () => held);
  const enough = new MemoryBudget(budget.wantedFor(200e6));
  enough.hold(enough, () => held);
  assert(Math.abs(enough.free - 200e6) < 1);
  assert(Math.abs(budgetFor(usable(5e8)) - 5e8) < 1e-3);
});
