import assert from "node:assert/strict";
import type { RewardBatch } from "../../../../steps/rewards/reward.ts";
import { ownReward } from "../../../../workflows/cli/scaffold/own_reward.ts";

/** The compiler asks for every field. */
const FIELDS: Record<keyof RewardBatch, true> = {
  prompts: true,
  texts: true,
  answers: true,
  completion_tokens: true,
  truncated: true,
  rows: true,
};

Deno.test("ownReward() names every field that a reward is given, and only those", () => {
  const fields = [...ownReward("mine").matchAll(/^ {2}readonly (\w+):/gm)].map(([, name]) => name!);
  assert.deepEqual(fields, Object.keys(FIELDS));
});
