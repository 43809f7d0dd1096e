import assert from "node:assert/strict";
import { fileOf, VERL_REWARDS } from "../../../workflows/translate/verl_rewards.ts";
import { told } from "./translated.ts";

Deno.test("verl's reward function is a file to write, by its new and its old name", () => {
  for (const name of ["reward.custom_reward_function.path", "custom_reward_function.path"]) {
    const { wanted, texts } = told("verl", "ppo", { [name]: "my/score-it.py" });
    assert.deepEqual(wanted["score_rewards.rewards"], [{ uses: "./score_it.ts" }]);
    assert.match(texts[name]!, /compute_score\(data_source/);
  }
  assert.equal(told("verl", "ppo", { "reward_model.enable": true }).classes["reward_model.enable"], "not_supported");
  assert.equal(fileOf(["a", "b"]), "a");
});

Deno.test("DAPO's overlong buffer is a reward beside the verifier, with its weight", () => {
  const { wanted } = told("verl", "ppo", {
    "reward_model.overlong_buffer.enable": true,
    "reward_model.overlong_buffer.len": 64,
    "reward_model.overlong_buffer.penalty_factor": 0.5,
    "data.max_response_length": 256,
  });
  assert.deepEqual(wanted["score_rewards.rewards"], [{ uses: "verifier" }, {
    uses: "overlong",
    with: { max_new_tokens: 256, buffer: 64 },
    weight: 0.5,
  }]);
  assert(Object.hasOwn(VERL_REWARDS, "reward_model.overlong_buffer.len"));
});
