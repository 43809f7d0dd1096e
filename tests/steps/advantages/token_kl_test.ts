import assert from "node:assert/strict";
import { meanTokenKl, REWARD_KL, tokenKl } from "../../../steps/advantages/token_kl.ts";
import { assertClose } from "./golden_cases.ts";

const old = [-1, -2, -40], ref = [-1.5, -1, -1], mask = [1, 1, 0];

Deno.test("tokenKl() is the estimate of each counted token", () => {
  assert.deepEqual([...REWARD_KL], ["k1", "k2", "k3", "abs"]);
  assertClose(tokenKl({ estimator: "k1" }, old, ref, mask), [0.5, -1, 0], "k1");
  assertClose(tokenKl({ estimator: "k2" }, old, ref, mask), [0.125, 0.5, 0], "k2");
  assertClose(tokenKl({ estimator: "k3" }, old, ref, mask), [Math.exp(-0.5) + 0.5 - 1, Math.E - 2, 0], "k3");
  assertClose(tokenKl({ estimator: "abs" }, old, ref, mask), [0.5, 1, 0], "abs");
});

Deno.test("tokenKl() bounds the difference before and the estimate after", () => {
  const far = (how: { differenceBound?: number; bound?: number }, d: number) =>
    tokenKl({ estimator: "k3", ...how }, [d], [0], [1])[0]!;
  assertClose([far({ differenceBound: 2 }, -40)], [Math.exp(2) - 3], "difference");
  assert.equal(far({ bound: 10 }, -40), 10);
  assert.equal(tokenKl({ estimator: "k1", bound: 10 }, [-40], [0], [1])[0], -10);
});

Deno.test("meanTokenKl() means completions, not tokens", () => {
  assertClose([meanTokenKl([[1, 1], [4], []], [2, 1, 0])], [5 / 3], "mean of 1, 4 and 0");
});

Deno.test("meanTokenKl() of one token is its KL, of none 0", () => {
  assert.equal(meanTokenKl([[0.5]], [1]), 0.5);
  assert.equal(meanTokenKl([[0.5], []], [1, 0]), 0.25);
});
