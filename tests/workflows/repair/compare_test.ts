/** Paired comparison of rewards: hand numbers, and the normal approximation against the exact count. */
import assert from "node:assert/strict";
import { compareHalves, compareRewards } from "../../../workflows/repair/compare.ts";

const rewards = (...values: number[]) => new Map(values.map((value, index) => [index + 1, value]));

Deno.test("compareRewards() counts the sign patterns that are at least as bad", () => {
  // Five losses of equal size: 1 of 32 patterns.
  const worse = compareRewards(rewards(1, 1, 1, 1, 1), rewards(0, 0, 0, 0, 0));
  assert.deepEqual(worse, { steps: 5, difference: -1, p: 1 / 32, worse: true });
  // Four: 1 of 16 is no proof.
  assert.equal(compareRewards(rewards(1, 1, 1, 1), rewards(0, 0, 0, 0)).worse, false);
  // -3 +1 +1: sums of ±3±1±1 at most -1 are -5, -3, -3 and -1.
  assert.equal(compareRewards(rewards(3, 0, 0), rewards(0, 1, 1)).p, 4 / 8);
});

Deno.test("compareRewards() takes common train steps only, and nothing for granted without them", () => {
  const plain = new Map([[4, 0.5], [5, 0.5]]);
  assert.deepEqual(compareRewards(plain, new Map([[5, 0.25], [6, 9]])), {
    steps: 1,
    difference: -0.25,
    p: null,
    worse: false,
  });
  assert.deepEqual(compareRewards(plain, new Map()), { steps: 0, difference: null, p: null, worse: false });
});

Deno.test("compareRewards() is near the exact test for many steps", () => {
  const losses = Array.from({ length: 15 }, (_, i) => (i % 3 === 0 ? 0.2 : -0.1));
  const zeros = rewards(...losses.map(() => 0));
  const exact = compareRewards(rewards(...losses.slice(1).map(() => 0)), rewards(...losses.slice(1))).p!;
  const normal = compareRewards(zeros, rewards(...losses)).p!;
  assert(Math.abs(normal - exact) < 0.12, `${normal}, ${exact}`);
  const sure = compareRewards(zeros, rewards(...losses.map(() => -0.1)));
  assert(sure.worse && sure.p! < 1e-4);
  assert.equal(compareRewards(zeros, zeros).worse, false);
});

Deno.test("compareHalves() sees a reward that falls, not one that is low", () => {
  assert.equal(compareHalves(rewards(...Array.from({ length: 20 }, () => 0.1))).worse, false);
  assert.equal(compareHalves(rewards(...Array.from({ length: 20 }, (_, i) => 0.1 + 0.01 * i))).worse, false);
  assert.equal(compareHalves(rewards(...Array.from({ length: 20 }, (_, i) => 0.5 - 0.01 * i))).worse, true);
});
