import assert from "node:assert/strict";
import { moments } from "../../../data/statistics/moments.ts";

Deno.test("moments() is 2.5 and sqrt(5/3) for 1 to 4, whatever is missing", () => {
  assert.deepEqual(moments([1, null, 2, 3, null, 4]), { count: 4, mean: 2.5, std: Math.sqrt(5 / 3), spread: 3 });
});

Deno.test("moments() of equal values has exactly their value as mean and 0 as std", () => {
  assert.deepEqual(moments([0.1, 0.1, 0.1]), { count: 3, mean: 0.1, std: 0, spread: 0 });
});

Deno.test("moments() has no std for one value and no mean for none", () => {
  assert.deepEqual(moments([7, null]), { count: 1, mean: 7, std: NaN, spread: 0 });
  assert.deepEqual(moments([null]), { count: 0, mean: NaN, std: NaN, spread: 0 });
});
