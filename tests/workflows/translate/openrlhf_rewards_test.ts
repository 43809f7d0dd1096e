import assert from "node:assert/strict";
import { OPENRLHF_REWARDS } from "../../../workflows/translate/openrlhf_rewards.ts";
import { told } from "./translated.ts";

Deno.test("OpenRLHF's rewards: a file, an address, a model, a length", () => {
  const rewards = (options: Record<string, string | number>) =>
    told("openrlhf", "ppo", options).wanted["score_rewards.rewards"];
  assert.deepEqual(rewards({ remote_rm_url: "/x/my-reward.py" }), [{ uses: "./my_reward.ts" }]);
  assert.deepEqual(rewards({ "reward.remote_url": "http://localhost:5000/get" }), [{
    uses: "./remote_reward.ts",
    permissions: { net: ["localhost:5000"] },
  }]);
  assert.deepEqual(rewards({ reward_pretrain: "org/rm" }), [{ uses: "reward_model" }]);
  assert.deepEqual(rewards({ "reward.overlong_buffer_len": 10, generate_max_len: 100 }), [{ uses: "verifier" }, {
    uses: "overlong",
    with: { max_new_tokens: 100, buffer: 10 },
  }]);
});

Deno.test("OpenRLHF clips what was compared to ±10, and punishes truncated completions", () => {
  const clip = told("openrlhf", "ppo", { "reward.clip_range": [-10, 10] });
  assert.deepEqual([clip.classes["reward.clip_range"], clip.wanted["compute_advantages.shaped_clip"]], [
    "equal",
    undefined,
  ]);
  assert.deepEqual(told("openrlhf", "ppo", { reward_clip_range: [-1, 1] }).wanted["compute_advantages.shaped_clip"], [
    -1,
    1,
  ]);
  const stop = (value: number) => told("openrlhf", "ppo", { stop_properly_penalty_coef: value }).wanted;
  assert.deepEqual([stop(0.5)["compute_advantages.truncated_scale"], stop(-1)["compute_advantages.truncated_reward"]], [
    0.5,
    -1,
  ]);
  assert(Object.hasOwn(OPENRLHF_REWARDS, "reward.clip_range"));
});
