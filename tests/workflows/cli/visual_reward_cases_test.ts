import assert from "node:assert/strict";
import { type Reward } from "../../../steps/rewards/reward.ts";
import { REWARDS } from "../../../steps/rewards/mod.ts";
import { VISUAL_REWARD_CASES } from "../../../workflows/cli/visual_reward_cases.ts";
import { rewardBatch } from "../../steps/rewards/batch.ts";

const rounded = (value: number | null) => value === null ? null : Math.round(value * 1e4) / 1e4;

for (const { reward, what, completion, answer, sound, compat } of VISUAL_REWARD_CASES) {
  Deno.test(`VISUAL_REWARD_CASES is right that ${reward} gives ${what} ${sound}, Visual-RFT's form ${compat}`, () => {
    const { params, score }: Reward = REWARDS[reward], batch = rewardBatch([completion], { answers: [answer] });
    const values = [false, true].map((compat) => rounded(score(params.parse({ compat }), batch)[0]!));
    assert.deepEqual(values, [sound, compat]);
  });
}

Deno.test("VISUAL_REWARD_CASES has differences only, for every reward that has both forms", () => {
  const same = VISUAL_REWARD_CASES.filter(({ sound, compat }) => sound === compat).map(({ what }) => what);
  // Two differences that make up for each other.
  assert.deepEqual(same, ["a line end behind"]);
  const rewards: [string, Reward][] = Object.entries(REWARDS);
  const names = rewards.filter(([, { params }]) => params.safeParse({ compat: true }).success).map(([name]) => name);
  assert.deepEqual([...new Set(VISUAL_REWARD_CASES.map(({ reward }) => reward))], names);
});
