/** What the diagnoses find of settings alone, and that each rule fires in every system that the page names, by its own option. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { checkConfiguration } from "../../../../workflows/preflight/configuration.ts";
import { DIAGNOSED } from "../../../../workflows/preflight/foreign/diagnosed.ts";
import type { ForeignRule } from "../../../../workflows/preflight/foreign/rule.ts";
import { testRules } from "./cases.ts";

testRules(DIAGNOSED);

const COMMANDS: Readonly<Record<string, string>> = {
  trl: "python grpo.py --model_name_or_path m --num_generations 8",
  "ms-swift": "swift rlhf --rlhf_type grpo --model m --num_generations 8",
  verl: "python -m verl.trainer.main_ppo algorithm.adv_estimator=grpo",
  openrlhf: "python -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m",
  "visual-rft": "torchrun src/virft/src/open_r1/grpo.py --model_name_or_path Qwen/Qwen2-VL-2B --num_generations 8",
  "vlm-r1":
    "torchrun src/open-r1-multimodal/src/open_r1/grpo_rec.py --model_name_or_path Qwen/Qwen2.5-VL-3B --num_generations 8",
  "r1-v-family": "torchrun src/r1-v/src/open_r1/grpo.py --model_name_or_path Qwen/Qwen2-VL-2B --num_generations 8",
};
const PAIRS: Readonly<Record<string, string>> = {
  trl: "trl dpo --model_name_or_path m",
  "ms-swift": "swift rlhf --rlhf_type dpo --model m",
  llamafactory: "llamafactory-cli train --stage dpo --finetuning_type lora --template qwen --model_name_or_path m",
  openrlhf: "python -m openrlhf.cli.train_dpo --model.model_name_or_path m",
};

/** By rule and system what to write for it; Unsloth's is a script, as TRL's. */
const OPTIONS: Readonly<Record<string, readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>]>> =
  {
    beta_zero: [PAIRS, { "": "--beta 0", llamafactory: "--pref_beta 0", openrlhf: "--model.beta 0" }],
    clip_zero: [COMMANDS, {
      "": "--epsilon 0",
      verl: "actor_rollout_ref.actor.clip_ratio_low=0 actor_rollout_ref.actor.clip_ratio_high=0",
      openrlhf: "--actor.eps_clip 0",
    }],
    kl_weight_heavy: [COMMANDS, {
      "": "--beta 20",
      verl: "actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.actor.kl_loss_coef=20",
      openrlhf: "--algo.kl.init_coef 20",
    }],
  };

async function rulesOf(command: string): Promise<readonly string[]> {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_diagnosed_" });
  try {
    Deno.writeTextFileSync(join(folder, "run.sh"), `${command}\n`);
    const [found] = await checkConfiguration([join(folder, "run.sh")]);
    return found!.problems.map(({ rule }) => rule);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

for (const [rule, [commands, options]] of Object.entries(OPTIONS)) {
  const { systems } = (DIAGNOSED as Readonly<Record<string, ForeignRule>>)[rule]!;
  for (const system of systems) {
    if (system === "unsloth") continue;
    Deno.test(`${rule} fires in a command of ${system}, as the page says`, async () => {
      const found = await rulesOf(`${commands[system]} ${options[system] ?? options[""]}`);
      assert(found.includes(rule), found.join());
    });
  }
}

Deno.test("a system without the option of a rule is none of the rule's", () => {
  const { clip_zero, beta_zero } = DIAGNOSED as Readonly<Record<string, ForeignRule>>;
  for (const system of ["visual-rft", "vlm-r1", "r1-v-family", "llamafactory"] as const) {
    assert(!clip_zero!.systems.includes(system), system);
  }
  assert(!beta_zero!.systems.includes("verl"));
});
