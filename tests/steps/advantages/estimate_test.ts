import assert from "node:assert/strict";
import type { Advantage } from "../../../steps/advantages/advantage.ts";
import { estimate } from "../../../steps/advantages/estimate.ts";
import { drGrpo } from "../../../steps/advantages/dr_grpo.ts";
import { reinforcePlusPlus } from "../../../steps/advantages/reinforce_plus_plus.ts";

const compare = drGrpo as unknown as Advantage, returns = reinforcePlusPlus as unknown as Advantage;
const batch = { rewards: [4, 0, null], groups: [0, 0, 0], lengths: [2, 1, 1] };

Deno.test("estimate() clips what was compared", () => {
  const { advantage, totals, tokens } = estimate(compare, { group_of_one: "refuse" }, {
    ...batch,
    shapedClip: [-1, 3],
  });
  assert.deepEqual([advantage, totals, tokens], [[2, -1, 0], [2, -1, 0], null]);
});

Deno.test("estimate() puts advantages on tokens where these pay, after comparing and clipping", () => {
  const paid = { ...batch, shapedClip: [-1, 1] as const, tokenRewards: [[-0.5, -0.25], [-1], [-9]] };
  const { advantage, totals, tokens, returns } = estimate(compare, { group_of_one: "refuse" }, paid);
  assert.deepEqual(tokens, [[0.25, 0.75], [-2], [0]]);
  assert.deepEqual(returns, [[0.25, 0.75], [-2], [0]]);
  assert.deepEqual(advantage, [0.5, -2, 0], "mean over counted tokens");
  assert.deepEqual(totals.slice(0, 2), [0.25, -2]);
});

Deno.test("estimate() means the tokens that count, and gives a completion without one 0", () => {
  const found = estimate(returns, returns.params.parse({ divide_by_std: false, variance: "biased" }), {
    rewards: [2, 4, 7],
    groups: [0, 1, 2],
    lengths: [1, 2, 0],
    masks: [[1, 0], [1, 1], [0, 0]],
  });
  const mean = (2 + 4 + 4) / 3;
  found.advantage.forEach((value, row) => assert(Math.abs(value - [2 - mean, 4 - mean, 0][row]!) < 1e-12));
});
