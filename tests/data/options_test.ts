import assert from "node:assert/strict";
import { findOption, normaliseOption, optionName, OPTIONS, optionValue } from "../../data/options.ts";
import type { Option } from "../../data/option_table/option.ts";

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
    ["algorithm.filter_groups.enable", "verl", "filter_groups"],
    ["rollout_correction.rollout_is_threshold", "verl", "sampler_bounds"],
    ["--algo.advantage.is_correction_type", "openrlhf", "sampler_outside"],
    ["entropy_coef_delta", "trl", "entropy_coef_step"],
    ["algorithm.lam", "verl", "lambda"],
    ["--algo.advantage.gamma", "openrlhf", "gamma"],
    ["normalize_advantages", "trl", "normalize"],
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
  assert.equal(optionName("top_k", "ms-swift"), "top_k");
  assert.equal(optionName("top_k", "visual-rft"), null); // TRL 0.14 had none
});

Deno.test("optionName() of a trainer of given texts is not that of reinforcement learning", () => {
  const names = (system: string) =>
    (["learning_rate", "kl_coef", "max_grad_norm", "epochs"] as const).map((option) =>
      optionName(option, system, false)
    );
  assert.deepEqual(names("openrlhf"), ["adam.lr", "model.beta", "max_norm", null]);
  assert.deepEqual(names("verl"), ["optim.lr", null, "optim.clip_grad", "trainer.total_epochs"]);
  assert.deepEqual(names("trl"), ["learning_rate", "beta", "max_grad_norm", "num_train_epochs"]);
});

Deno.test("optionValue() writes a value as another system has it, or says that it cannot be set", () => {
  assert.equal(optionValue("top_k", "verl", 0), -1);
  assert.equal(optionValue("top_k", "trl", 0), 0);
  assert.equal(optionValue("aggregation", "verl", "token_mean"), "token-mean");
  assert.equal(optionValue("loss", "trl", "bnpo"), "bnpo");
  assert.equal(optionValue("loss", "verl", "bnpo"), null);
  assert.equal(optionValue("reference", "trl", "copy"), null);
  assert.equal(optionValue("temperature", "verl", 1), 1);
});

Deno.test("OPTIONS: what optionName() prints is found again", () => {
  for (const [option, { names }] of Object.entries(OPTIONS) as [string, Option][]) {
    for (const [system, [first]] of Object.entries(names)) {
      if (first !== undefined) assert.equal(findOption(first, system), option, `${option} of ${system}`);
    }
  }
});

Deno.test("normaliseOption() takes dashes and Hydra's signs off", () => {
  assert.deepEqual(["--a-b", "++x.y", "~z", " q"].map(normaliseOption), ["a_b", "x.y", "z", "q"]);
});
