import assert from "node:assert/strict";
import type { Value } from "../../../workflows/translate/written.ts";
import { told } from "./translated.ts";

Deno.test("OpenRLHF's critic starts from the reward model where none is given, and from the policy where that is remote", () => {
  const model = (options: Record<string, Value>) =>
    told("openrlhf", "ppo", { pretrain: "a/policy", ...options }).wanted["load_critic.model"];
  assert.equal(model({ reward_pretrain: "a/scorer" }), "hf:a/scorer");
  assert.equal(model({ "reward.model_name_or_path": "a/first,a/second" }), "hf:a/first");
  assert.equal(model({ reward_pretrain: "a/scorer", critic_pretrain: "a/critic" }), "hf:a/critic");
  assert.equal(model({ reward_pretrain: "a/scorer", remote_rm_url: "reward.py" }), undefined);
  assert.equal(model({ reward_pretrain: "a/scorer", agent_func_path: "agent.py" }), undefined);
  assert.equal(model({ remote_rm_url: "reward.py" }), undefined);
  assert.equal(model({ reward_pretrain: "a/scorer", advantage_estimator: "group_norm" }), undefined);
  const long = `${"deep/".repeat(20)}scorer`;
  assert.equal(model({ reward_pretrain: long }), "./models/scorer");
  assert.equal(told("openrlhf", "ppo", { reward_pretrain: long }).wanted["load_reward_model.model"], "./models/scorer");
  const { texts } = told("openrlhf", "ppo", { reward_pretrain: { unresolved: "$RM" } });
  assert.match(texts["reward_pretrain"]!, /only known when the program runs/);
});
