import assert from "node:assert/strict";
import { rewardEntries, rewardsOf } from "../../../workflows/translate/rewards.ts";
import { told } from "./translated.ts";

Deno.test("rewards get what is built in here, files for the rest, weights in their order", () => {
  const { settings, texts } = told("trl", "grpo", {
    reward_funcs: ["accuracy_reward", { unresolved: "my.own_reward" }, {
      "()": "get_soft_overlong_punishment",
      "*": [100, 20],
    }, "think_format_reward"],
    reward_weights: [1, 0.5, 2, 1],
  });
  const rewards = settings["score_rewards.rewards"] as { uses: string; weight?: number; with?: object }[];
  assert.deepEqual(rewards.map(({ uses, weight }) => [uses, weight]), [
    ["numeric_match", undefined],
    ["./own_reward.ts", 0.5],
    ["overlong", 2],
    ["regex", undefined],
  ]);
  assert.deepEqual(rewards[2]!.with, { max_new_tokens: 100, buffer: 20 });
  assert.match(texts["reward_funcs"]!, /math_verify there.*write own_reward\.ts/);
});

Deno.test("rewards of one name get two, none is told, and models are another run's", () => {
  const given = { value: () => null, number: () => 512, count: () => 512, isWritten: () => false };
  const made = rewardsOf("a_reward a_reward", given);
  assert("set" in made && JSON.stringify(made.set).includes('"name":"a_reward'));
  assert("lacks" in rewardsOf([], given));
  assert("lacks" in rewardEntries(null)["reward_model"]!.make("org/rm", given));
});
