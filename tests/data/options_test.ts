import assert from "node:assert/strict";
import { findOption, normaliseOption, type Option, optionName, OPTIONS } from "../../data/options.ts";

for (
  const [name, system, option] of [
    ["learning_rate", "trl", "learning_rate"],
    ["--learning-rate", null, "learning_rate"],
    ["+actor_rollout_ref.rollout.n", "verl", "group_size"],
    ["actor_rollout_ref.actor.optim.lr", null, "learning_rate"],
    ["n_samples_per_prompt", "openrlhf", "group_size"],
    ["max_epochs", "openrlhf", "updates_per_rollout"],
    ["beta", "ms-swift", "kl_coef"],
    ["torch_dtype", "visual-rft", "precision"],
    ["lora_target", "llamafactory", "lora_target_modules"],
    ["init_kl_coef", "openrlhf", "kl_coef"],
    ["kl_coef", null, "kl_coef"],
    ["no_such_thing", "trl", null],
    ["__proto__", null, null],
    ["toString", null, null],
  ] as const
) {
  Deno.test(`findOption("${name}", ${system}) is ${option}`, () => assert.equal(findOption(name, system), option));
}

Deno.test("optionName() says how another system calls an option; TRL's followers use TRL's names", () => {
  assert.equal(optionName("group_size", "trl"), "num_generations");
  assert.equal(optionName("group_size", "verl"), "actor_rollout_ref.rollout.n");
  assert.equal(optionName("group_size", "ms-swift"), "num_generations");
  assert.equal(optionName("group_size", "nonzero"), "group_size");
  assert.equal(optionName("kto_vanilla_loss", "trl"), null);
});

Deno.test("OPTIONS: what optionName() prints is found again", () => {
  for (const [option, { names }] of Object.entries(OPTIONS) as [string, Option][]) {
    for (const system of Object.keys(names)) {
      assert.equal(findOption(names[system]![0]!, system), option, `${option} of ${system}`);
    }
  }
});

Deno.test("normaliseOption() takes dashes and Hydra's signs off", () => {
  assert.deepEqual(["--a-b", "++x.y", "~z", " q"].map(normaliseOption), ["a_b", "x.y", "z", "q"]);
});
