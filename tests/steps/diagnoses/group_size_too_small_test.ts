/** The rule group_size_too_small: its fault and its look-alikes. */
import assert from "node:assert/strict";
import rule from "../../../steps/diagnoses/group_size_too_small.ts";
import { flat, group, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";

testRule("group_size_too_small", {
  fires: {
    "two completions per prompt of an estimator that nobody knows by its name": {
      own: true,
      algorithm: "mine",
      settings: { num_generations: 2, compares_groups: true },
    },
    "one completion per prompt, for RLOO too": { algorithm: "rloo", settings: { num_generations: 1 } },
    "two completions per prompt in the configuration": { settings: { num_generations: 2 } },
    "four that tie as often as the formula says": healthyBut({
      zero_spread_fraction: flat(0.66),
      reward: flat(0.1),
      "reward.accuracy_reward": ramp(0.1, 0.1),
    }, { settings: { num_generations: 4 } }),
    "four of rewards -1 and 1 that tie as often as the formula says": healthyBut({
      zero_spread_fraction: flat(0.66),
      reward: flat(-0.8),
      "reward.accuracy_reward": ramp(-0.8, -0.8),
    }, { settings: { num_generations: 4 } }),
  },
  silent: {
    "four of rewards -1 and 1 that tie more often than that": healthyBut({
      zero_spread_fraction: flat(0.66),
      reward: flat(-0.4),
      "reward.accuracy_reward": ramp(-0.4, -0.4),
    }, { settings: { num_generations: 4 } }),
    "four of rewards beyond -1, whose pass rate nobody knows": healthyBut({
      zero_spread_fraction: flat(0.66),
      reward: flat(-0.8),
      "reward.accuracy_reward": Array.from({ length: 30 }, (_, i) => i % 2 === 0 ? -0.2 : -1.4),
    }, { settings: { num_generations: 4 } }),
    "groups of four that tie on a hard task and learn": healthyBut({
      reward: ramp(0.05, 0.3),
      "reward.accuracy_reward": ramp(0.05, 0.3),
      zero_spread_fraction: flat(0.65),
    }, { settings: { num_generations: 4 } }),
    "eight that tie as often as the formula says": healthyBut({
      zero_spread_fraction: flat(0.66),
      reward: flat(0.05),
      "reward.accuracy_reward": flat(0.05),
    }, { settings: { num_generations: 8 } }),
    "eight completions": healthyBut({ zero_spread_fraction: flat(0.6) }, { settings: { num_generations: 8 } }),
    "two for RLOO, its default": { algorithm: "rloo", settings: { num_generations: 2 } },
    "four for RLOO that tie as often as the formula says": healthyBut({
      zero_spread_fraction: flat(0.66),
      reward: flat(0.1),
      "reward.accuracy_reward": ramp(0.1, 0.1),
    }, { algorithm: "rloo", settings: { num_generations: 4 } }),
    "two for an estimator of ours to which that is usual": {
      own: true,
      algorithm: "mine",
      settings: { num_generations: 2, compares_groups: true, small_groups: true },
    },
    "two completions that hardly ever tie": healthyBut({ zero_spread_fraction: flat(0.1) }, {
      settings: { num_generations: 2 },
    }),
  },
});

Deno.test("group_size_too_small shows a group where neither the size nor the ties are printed as numbers", () => {
  const completions = ["a", "b", "c"].flatMap((prompt, i) =>
    group(prompt, ["x", "y", "z"], i === 0 ? [1, 0, 0] : [0, 0, 0])
  );
  const found = rule.check(viewOf({ algorithm: "grpo", columns: { reward: [0.11] }, completions }));
  assert(found !== null && "message" in found);
  assert.deepEqual(found.evidence.map(({ name, value }) => [name, value]), [["reward", 1], ["reward", 0], [
    "reward",
    0,
  ]]);
});
