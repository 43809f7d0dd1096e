import assert from "node:assert/strict";
import type { FaultName } from "../../../steps/faults/mod.ts";
import { faulty, seenParams } from "./fault_context.ts";

const SCORED = {
  prompt_id: [0, 0, 1, 1, 2],
  text: ["2", "77", "4", "10", "6"],
  answer: ["2", "2", "4", "4", "6"],
  reward: [1, 0, 1, 0, 1],
  correct: [true, false, true, false, true],
  completion_tokens: [2, 3, 2, 3, 2],
  "reward.verifier": [1, 0, 1, 0, 1],
};

const WANT: Partial<Record<FaultName, unknown[]>> = {
  constant_reward: [0.5, 0.5, 0.5, 0.5, 0.5],
  zero_reward: [0, 0, 0, 0, 0],
  always_right: [1, 1, 1, 1, 1],
  nan_reward: [1, 0, 1, NaN, 1],
  infinite_reward: [1, 0, 1, Infinity, 1],
  missing_rewards: [null, null, null, null, null],
  huge_rewards: [1e6, 0, 1e6, 0, 1e6],
  negated_reward: [-1, -0, -1, -0, -1],
  length_hacking: [0.5, 0.75, 0.5, 0.75, 0.5],
  substring_hacking: [0, 1, 0, 0, 0],
  constant_answer: [0, 0, 0, 1, 0],
};

for (const [kind, reward] of Object.entries(WANT)) {
  Deno.test(`${kind} replaces the reward and the column of its function`, async () => {
    const column = await faulty(kind as FaultName, "completions", SCORED);
    assert.deepEqual(column("reward"), reward);
    assert.deepEqual(column("reward.verifier"), reward);
    assert.deepEqual(column("correct"), SCORED.correct);
  });
}

Deno.test("cancelling_rewards adds two functions whose sum is constant", async () => {
  const column = await faulty("cancelling_rewards", "completions", SCORED);
  assert.deepEqual(column("reward.verifier"), [1, 0, 1, 0, 1]);
  assert.deepEqual(column("reward.style"), [0, 1, 0, 1, 0]);
  assert.deepEqual(column("reward"), [1, 1, 1, 1, 1]);
});

Deno.test("format_never_fires adds a reward to those of the workflow", async () => {
  const { rewards } = await seenParams("format_never_fires", { rewards: [{ uses: "verifier" }] });
  assert.deepEqual((rewards as { uses: string }[]).map(({ uses }) => uses), ["verifier", "format"]);
});
