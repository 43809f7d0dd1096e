/** Group size and kinds of algorithms. */
import assert from "node:assert/strict";
import { groupSize, isGroupMethod, isReinforcement } from "../../../../steps/diagnoses/view/groups.ts";
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
