import assert from "node:assert/strict";
import { checkConfiguration } from "../../../../workflows/preflight/configuration.ts";
import { RUN_RULES } from "../../../../workflows/preflight/foreign/run_rules.ts";
import { filesOf, testRules } from "./cases.ts";

testRules(RUN_RULES);

const CHANGES: Partial<Readonly<Record<keyof typeof RUN_RULES, string>>> = {
  group_of_one: "actor_rollout_ref.rollout.n=8",
  kl_without_weight: "actor_rollout_ref.actor.kl_loss_coef=0.001",
  minibatch_larger_than_batch: "actor_rollout_ref.actor.ppo_mini_batch_size=512",
};

for (const [rule, change] of Object.entries(CHANGES)) {
  Deno.test(`${rule} says what to write as the script writes it`, async () => {
    const [{ problems } = { problems: [] }] = await checkConfiguration([filesOf(rule).fires!]);
    assert.deepEqual(problems.find((one) => one.rule === rule)?.change, [change]);
  });
}

Deno.test("group_of_one says it in a script's, a command's and a file's own form", async () => {
  const files = {
    "run.sh": ["trl grpo --model_name_or_path a --num_generations 1\n", "--num_generations 8"],
    "train.py": [
      "from trl import GRPOConfig\nargs = GRPOConfig(output_dir='a', num_generations=1)\n",
      "num_generations=8",
    ],
  };
  for (const [name, [text, change]] of Object.entries(files)) {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${folder}/${name}`, text!);
      const [{ problems } = { problems: [] }] = await checkConfiguration([`${folder}/${name}`]);
      assert.deepEqual(problems.find(({ rule }) => rule === "group_of_one")?.change, [change], name);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }
});
