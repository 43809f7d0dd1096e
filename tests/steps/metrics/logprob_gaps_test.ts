import assert from "node:assert/strict";
import { largestGap, meanKl } from "../../../steps/metrics/logprob_gaps.ts";

const POLICY = [[-1, -2], [-3]], REFERENCE = [[-1.5, -2], [-1]];
const near = (value: number, want: number) => assert(Math.abs(value - want) < 1e-12, `${value}, want ${want}`);

Deno.test("meanKl() is the mean of each estimator over tokens that count, by hand", () => {
  // log-ratios reference - policy: -0.5, 0, 2
  const all = [[1, 1], [1]];
  near(meanKl(POLICY, REFERENCE, all, "k1"), (0.5 + 0 - 2) / 3);
  near(meanKl(POLICY, REFERENCE, all, "k2"), (0.125 + 0 + 2) / 3);
  near(meanKl(POLICY, REFERENCE, all, "k3"), (Math.exp(-0.5) + 0.5 - 1 + Math.exp(2) - 2 - 1) / 3);
  near(meanKl(POLICY, REFERENCE, [[1, 1], [0]], "k2"), 0.125 / 2);
});

Deno.test("meanKl() of no token is 0", () => assert.equal(meanKl(POLICY, REFERENCE, [[0, 0], [0]], "k3"), 0));

Deno.test("largestGap() is the largest distance over tokens that count, whatever its sign", () => {
  assert.equal(largestGap(POLICY, REFERENCE, [[1, 1], [1]]), 2);
  assert.equal(largestGap(REFERENCE, POLICY, [[1, 1], [1]]), 2);
  assert.equal(largestGap(POLICY, REFERENCE, [[1, 1], [0]]), 0.5);
});

Deno.test("largestGap() is NaN as soon as one gap is NaN, wherever it stands", () => {
  for (const at of [0, 1, 2]) {
    const broken = [-1, -2, -3].map((value, i) => i === at ? NaN : value);
    assert(Number.isNaN(largestGap([broken], [[-1.5, -2, -1]], [[1, 1, 1]])), `NaN at token ${at}`);
  }
  assert.equal(largestGap([[NaN, -2]], [[-1, -2.25]], [[0, 1]]), 0.25);
});
