import assert from "node:assert/strict";
import { reinforcePlusPlus } from "../../../steps/advantages/reinforce_plus_plus.ts";
import { assertClose } from "./golden_cases.ts";

const given = (options: Record<string, unknown>) => reinforcePlusPlus.params.parse(options);

Deno.test("reinforcePlusPlus.advantages() needs a group only with a baseline", () => {
  assert.equal(reinforcePlusPlus.minGroupSize(given({})), 1);
  assert.equal(reinforcePlusPlus.minGroupSize(given({ baseline: true })), 2);
  assert.equal(reinforcePlusPlus.minGroupSize(given({ baseline: true, group_of_one: "zero" })), 1);
});

Deno.test("reinforcePlusPlus.advantages() leaves unscored completions at 0", () => {
  const scored = reinforcePlusPlus.advantages(given({}), { rewards: [1, 0], groups: [0, 1], lengths: [2, 3] });
  const withNull = reinforcePlusPlus.advantages(given({}), {
    rewards: [1, null, 0],
    groups: [0, 0, 1],
    lengths: [2, 4, 3],
  });
  assert.deepEqual(withNull.tokens, [scored.tokens[0], [0, 0, 0, 0], scored.tokens[1]]);
});

Deno.test("reinforcePlusPlus.advantages() discounts by the token and whitens in verl's way or OpenRLHF's", () => {
  const batch = { rewards: [4, 0], groups: [0, 0], lengths: [2, 1] };
  const { returns, tokens } = reinforcePlusPlus.advantages(given({ gamma: 0.5, variance: "biased" }), batch);
  assert.deepEqual(returns, [[2, 4], [0]]);
  const biased = Math.sqrt(8 / 3), unbiased = 2;
  assertClose(tokens.flat(), [0, 2 / biased, -2 / biased], "biased");
  const verl = reinforcePlusPlus.advantages(given({ gamma: 0.5 }), batch).tokens;
  assertClose(verl.flat(), [0, 2 / unbiased, -2 / unbiased], "unbiased", [1e-6, 1e-6]);
  const centred = reinforcePlusPlus.advantages(given({ gamma: 0.5, divide_by_std: false, variance: "biased" }), batch);
  assertClose(centred.tokens.flat(), [0, 2, -2], "mean only");
});

Deno.test("reinforcePlusPlus.advantages() subtracts the group's mean first with a baseline", () => {
  const batch = { rewards: [3, 1, 10, 10], groups: [0, 0, 1, 1], lengths: [1, 1, 1, 1] };
  const options = given({ baseline: true, divide_by_std: false, variance: "biased" });
  assert.deepEqual(reinforcePlusPlus.advantages(options, batch).tokens, [[1], [-1], [0], [0]]);
});
