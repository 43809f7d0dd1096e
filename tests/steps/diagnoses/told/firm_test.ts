/** A complaint that is more than a bare cry. */
import assert from "node:assert/strict";
import { claimed } from "../../../../steps/diagnoses/told/claimed.ts";
import { isBareCry, isFirm } from "../../../../steps/diagnoses/told/firm.ts";
import { alarmsOf } from "./diagnosed.ts";
import { viewOfPost } from "./view_of_post.ts";

const REWARD = ["reward.collapses", "reward.falls"] as const;

async function judged(post: string) {
  const view = await viewOfPost(post), said = claimed(view, REWARD);
  assert(said.length > 0, post);
  return { isFirm: isFirm(view, said), isBare: isBareCry(view, said) };
}

Deno.test("isFirm() wants a time, two lines, two metrics or what was run", async () => {
  assert.equal((await judged("The reward collapsed. Tips for GRPO?\n")).isFirm, false);
  assert((await judged("The reward collapsed after step 80, GRPO.\n")).isFirm);
  assert((await judged("The reward suddenly collapsed, GRPO.\n")).isFirm);
  assert((await judged("# GRPO: the reward collapsed\n\nMy reward collapsed.\n")).isFirm);
  assert((await judged("The reward collapsed. GRPO, lr 1e-6, beta 0.04, num_generations 8.\n")).isFirm);
});

Deno.test("isBareCry() is of the first line, without any number that is not 0", async () => {
  assert((await judged("The reward collapsed. Tips for GRPO?\n")).isBare);
  assert(!(await judged("The reward collapsed. Tips for GRPO? grad_norm was 0.3.\n")).isBare);
  assert(!(await judged("GRPO on math12k.\n\nThe reward collapsed, has anybody seen this?\n")).isBare);
});

Deno.test("a bare cry names no cause, and what is told of a time does", async () => {
  assert.deepEqual(await alarmsOf("The reward collapsed. Any tips for stable GRPO?\n"), []);
  assert.deepEqual(await alarmsOf("grad_norm 为 0 是什么原因？用的 LoRA。\n"), []);
  assert.equal(
    (await alarmsOf("My reward suddenly collapsed after step 180 of GRPO, lr 5e-6.\n"))[0],
    "reward_collapse",
  );
});
