import assert from "node:assert/strict";
import { groupShare, stepShare } from "../../../../../data/adapters/post/numbers/group_share.ts";
import { claimsOf, readPost } from "../read_post.ts";

const CASES: readonly (readonly [text: string, share: number | null])[] = [
  ["in 5 % of the groups all rewards are the same", 0.05],
  ["half of the groups have zero std", 0.5],
  ["5% of the groups have zero reward std", 0.05],
  ["12 of 64 groups have no spread", 0.1875],
  ["bei 30 % der Gruppen ist die Streuung 0", 0.3],
  ["有 40% 的组奖励完全相同", 0.4],
  ["a third of the prompts tie", 1 / 3],
  ["the std of every group is 0", null],
  ["reward 5 % higher", null],
];
for (const [text, share] of CASES) {
  Deno.test(`groupShare() of "${text}"`, () => assert.equal(groupShare(text), share));
}

Deno.test("stepShare() reads how many train steps of how many, and what is said of few of them is no claim", async () => {
  assert.equal(stepShare("0.0 in 3 of 50 logged steps"), 0.06);
  assert.equal(stepShare("step 3 of 50"), null);
  const read = await readPost("Hi, GRPO, why? The reward_std is 0.0 in 3 of 50 logged steps.");
  assert.deepEqual([claimsOf(read), read.told], [[], []]);
  assert.notDeepEqual((await readPost("Hi, GRPO, why? The reward_std is 0.0 in 48 of 50 logged steps.")).told, []);
});

Deno.test("a share of the groups without spread is a number, and no claim of all of them", async () => {
  const read = await readPost("Hi, why is it so? GRPO: in 5 % of the groups all rewards are the same.");
  assert.deepEqual(claimsOf(read), []);
  assert.deepEqual(read.told.map(({ name, values }) => [name, ...values]), [["frac_reward_zero_std", 0.05]]);
  const all = await readPost("Hi, why is it so? GRPO: in all groups the rewards are the same.");
  assert.deepEqual(all.told, []);
  assert.notDeepEqual(claimsOf(all), []);
});
