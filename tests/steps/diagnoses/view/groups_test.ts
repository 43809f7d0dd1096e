/** Group size and kinds of algorithms. */
import assert from "node:assert/strict";
import {
  followsRewards,
  groupSize,
  isGroupMethod,
  isReinforcement,
  sumsToZero,
  usesSmallGroups,
} from "../../../../steps/diagnoses/view/groups.ts";
import { group, viewOf } from "../synthetic.ts";

Deno.test("groupSize() reads the configuration, then the completions", () => {
  assert.equal(groupSize(viewOf({ settings: { num_generations: 8 } })), 8);
  const completions = [...group("a", ["x", "y", "z"], [1, 1, 0]), ...group("b", ["x", "y"], [1, 0])];
  assert.equal(groupSize(viewOf({ completions })), 3);
  assert.equal(groupSize(viewOf({})), null);
  const sampled = ["a", "b", "c", "d"].flatMap((prompt) => group(prompt, prompt === "a" ? ["x", "y"] : ["x"], [1, 0]));
  assert.equal(groupSize(viewOf({ completions: sampled })), null, "a console that prints a few samples");
});

Deno.test("isGroupMethod() and isReinforcement() go by the algorithm", () => {
  assert.deepEqual(["grpo", "ppo", "dpo"].map((algorithm) => isGroupMethod(viewOf({ algorithm }))), [
    true,
    false,
    false,
  ]);
  assert.deepEqual(["grpo", "ppo", "dpo", "sft"].map((algorithm) => isReinforcement(viewOf({ algorithm }))), [
    true,
    true,
    false,
    false,
  ]);
});

Deno.test("groups are to a run of ours what its estimator declares, to a log and an older run what the name says", () => {
  const judged = (algorithm: string, settings: Record<string, unknown>, own = true) => {
    const view = viewOf({ own, algorithm, settings });
    return [isGroupMethod, sumsToZero, usesSmallGroups].map((trait) => trait(view));
  };
  const follows = (settings: Record<string, unknown>) =>
    followsRewards(viewOf({ own: true, algorithm: "mine", settings }));
  assert.deepEqual(
    [follows({ compares_groups: true }), follows({ compares_groups: true, follows_rewards: false })],
    [true, false],
  );
  const traits = { compares_groups: true, sums_to_zero: false, small_groups: true };
  assert.deepEqual(judged("mine", traits), [true, false, true]);
  assert.deepEqual(judged("mine", { compares_groups: false }), [false, false, false]);
  assert.deepEqual(judged("mine", traits, false), [false, false, false], "a log declares nothing");
  assert.deepEqual(judged("sft", traits), [false, false, false], "the warm start of such a run");
  assert.deepEqual(judged("rloo", {}), [true, true, true]);
  assert.deepEqual(judged("reinforce_plus_plus", {}), [false, false, false]);
});
