import assert from "node:assert/strict";
import { reinforcePlusPlus } from "../../../steps/advantages/reinforce_plus_plus.ts";
import { assertClose, goldenCases, hasNoGroupOfOne, perCompletion } from "./golden_cases.ts";

for (
  const [prefix, baseline] of [["reinforce_plus_plus/gamma1.0/outcome", false], [
    "reinforce_plus_plus_baseline",
    true,
  ]] as const
) {
  Deno.test(`reinforcePlusPlus.advantages() agrees with verl's ${prefix}`, async () => {
    for (
      const golden of (await goldenCases("verl_advantages.json", prefix)).filter((golden) =>
        !baseline || hasNoGroupOfOne(golden)
      )
    ) {
      const { rows, advantages, ...batch } = perCompletion(golden);
      const actual = reinforcePlusPlus.advantages({ baseline }, batch);
      assertClose(rows.map((row) => actual[row]!), rows.map((row) => advantages[row]!), golden.name);
    }
  });
}

Deno.test("reinforcePlusPlus.advantages() needs a group only with a baseline", () => {
  assert.equal(reinforcePlusPlus.minGroupSize({ baseline: false }), 1);
  assert.equal(reinforcePlusPlus.minGroupSize({ baseline: true }), 2);
});

Deno.test("reinforcePlusPlus.advantages() leaves unscored completions at 0", () => {
  const scored = reinforcePlusPlus.advantages({ baseline: false }, {
    rewards: [1, 0],
    groups: [0, 1],
    lengths: [2, 3],
  });
  const withNull = reinforcePlusPlus.advantages({ baseline: false }, {
    rewards: [1, null, 0],
    groups: [0, 0, 1],
    lengths: [2, 9, 3],
  });
  assert.deepEqual(withNull, [scored[0], 0, scored[1]]);
});
