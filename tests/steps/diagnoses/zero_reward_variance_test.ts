/** The rule zero_reward_variance: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { flat, group, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

testRule("zero_reward_variance", {
  fires: {
    "groups that tie at different rewards": healthyBut({
      zero_spread_fraction: flat(0.95),
      grad_norm: flat(0.001),
      reward: ramp(0.4, 0.5),
    }),
    "a run that is at the floor on most records, and solves a prompt now and then": healthyBut({
      zero_spread_fraction: Array.from({ length: 30 }, (_, i) => i % 6 === 5 ? 0.5 : 1),
      reward: Array.from({ length: 30 }, (_, i) => i % 6 === 5 ? 0.06 : 0),
      "reward.accuracy_reward": Array.from({ length: 30 }, (_, i) => i % 6 === 5 ? 0.06 : 0),
      reward_std: Array.from({ length: 30 }, (_, i) => i % 6 === 5 ? 0.2 : 0),
      grad_norm: Array.from({ length: 30 }, (_, i) => i % 6 === 5 ? 0.4 : 2e-6),
    }),
    "one record whose every group ties between floor and maximum": {
      columns: { reward: [3], reward_std: [0], zero_spread_fraction: [1], grad_norm: [0], loss: [0] },
    },
  },
  silent: {
    "single flat records of a small run": healthyBut({ zero_spread_fraction: ramp(0.3, 0.7) }),
    "a batch deviation of 0 that comes with the maximum": healthyBut({
      reward: flat(1),
      "reward.accuracy_reward": flat(1),
      zero_spread_fraction: flat(1),
    }),
  },
});

Deno.test("zero_reward_variance of printed groups alone says their share in percent, and the table of a run of ours", () => {
  const completions = ["a", "b", "c", "d"].flatMap((prompt, i) =>
    group(prompt, ["w", "x", "y", "z"], flat(0.2 + i / 10, 4), { table: "completions", source: null, line: null })
  );
  const found = DIAGNOSES.zero_reward_variance.check(viewOf({ own: true, completions }));
  assert(found !== null && "message" in found, JSON.stringify(found));
  assert.equal(found.message, "In 100 % of the printed groups all completions get the same reward");
  assert.deepEqual(found.evidence.map(({ table, name, value }) => [table, name, value]), [[
    "completions",
    "reward",
    0.2,
  ]]);
});
