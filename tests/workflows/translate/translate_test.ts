import assert from "node:assert/strict";
import { join } from "node:path";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { STEPS } from "../../../steps/mod.ts";
import type { Class } from "../../../workflows/translate/table.ts";
import { TITLES, translate, translated } from "../../../workflows/translate/translate.ts";
import { fuzzedFile } from "./fuzzed.ts";

const CASES = join(import.meta.dirname!, "../../cases");

/** Cases whose configuration is none that is read, or does not say what is trained: notes, or a system that is not translated. */
const NOT_READ = [
  "043-unsloth-constrained-decoding-kl-10000",
  "061-torchforge-664-kl-billions",
  "070-trl-3089-peft-reentrant-checkpoint",
];

for await (const { name } of Deno.readDir(CASES)) {
  const file = join(CASES, name, "config.txt");
  if (!await Deno.stat(file).then(() => true, () => false)) continue;
  Deno.test(`translate() makes a plan of the configuration of ${name}, twice the same, or says why not`, async () => {
    const first = await translate(file, "config.txt", "mine").catch((error: Error) => error);
    assert.equal(first instanceof Error, NOT_READ.includes(name), String(first));
    if (first instanceof Error) {
      assert.match(first.message, /^Cannot translate "config\.txt": /);
      return;
    }
    assert.equal((await translate(file, "config.txt", "mine")).text, first.text);
    const plans = planRuns(parseWorkflow(first.text, "mine.yaml", { kinds: STEPS }), STEPS, {});
    assert.equal(plans.length, 1);
  });
}

Deno.test("translated() refuses a trainer that is not here, and lists those that are", () => {
  const foreign = { system: "trl", trainer: "grpoo", form: "x", options: [], notes: [] } as const;
  assert.throws(() => translated(foreign, "a.py", "a"), /it trains with "grpoo" of TRL.*did you mean "grpo"/);
  assert.equal(TITLES.llamafactory, "LLaMA-Factory");
  const ppo = { ...foreign, trainer: "ppo" };
  assert.throws(() => translated(ppo, "a.py", "a"), /"ppo" of TRL, want one that is here too; workflows\/library\/ppo/);
  assert.throws(() => translated({ ...foreign, trainer: "orpo" }, "a.py", "a"), /here too \(dpo, kto/);
});

Deno.test("translated() refuses LLaMA-Factory's losses of pairs that are other methods", () => {
  for (const loss of ["simpo", "orpo", "kto_pair"]) {
    const options = [{ name: "pref_loss", value: loss, line: 3 }];
    const foreign = { system: "llamafactory", trainer: "dpo", form: "x", options, notes: [] } as const;
    assert.throws(() => translated(foreign, "a.yaml", "a"), new RegExp(`it trains with "${loss}" of LLaMA-Factory`));
  }
  const options = [{ name: "pref_loss", value: "hinge", line: 3 }];
  const { settings } = translated(
    { system: "llamafactory", trainer: "dpo", form: "x", options, notes: [] },
    "a.yaml",
    "a",
  );
  assert.equal(settings["train_preferences.dpo_loss"], "hinge");
});

/** What becomes of the options of each example: names by class, and settings that decide numbers. */
interface Example extends Readonly<Partial<Record<Class, string>>> {
  readonly settings: Readonly<Record<string, unknown>>;
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  "trl_grpo.sh": {
    translated: "model_name_or_path dataset_name reward_funcs num_generations beta",
    equal: "output_dir logging_steps no_bf16 top_k",
    settings: {
      "apply_update.preset": "trl/dapo",
      "apply_update.kl_coef": 0.04,
      "apply_update.kl_times_ratio": true,
      "apply_update.schedule": "linear",
      "apply_update.beta2": 0.999,
      "sample_groups.prompts_per_step": 2,
      "load_model.reference": "copy",
    },
  },
  "trl_kto.sh": {
    translated: "model_name_or_path dataset_name",
    equal: "output_dir",
    settings: {
      "train_preferences.loss": "kto",
      "train_preferences.max_length": 1024,
      "load_preferences.form": "unpaired",
    },
  },
  "trl_dpo.sh": {
    translated: "model_name_or_path dataset_name",
    equal: "output_dir logging_steps",
    settings: {
      "train_preferences.loss": "dpo",
      "train_preferences.learning_rate": 1e-6,
      "train_preferences.batch_size": 8,
      "train_preferences.schedule": "linear",
      "load_preferences.form": "pairs",
    },
  },
  "trl_dpo.yaml": {
    translated: "model_name_or_path dataset_name learning_rate loss_type loss_weights gradient_accumulation_steps",
    not_supported: "bf16",
    settings: { "train_preferences.dpo_loss": ["sigmoid", "sft"], "train_preferences.learning_rate": 5e-7 },
  },
  "trl_rloo.sh": {
    translated: "model_name_or_path per_device_train_batch_size gradient_accumulation_steps max_steps",
    equal: "num_processes",
    settings: {
      "sample_groups.prompts_per_step": 8,
      "compute_advantages.kl_coef": 0.05,
      "load_model.model": "hf:Qwen/Qwen3-0.6B",
    },
  },
  "trl_grpo.py": {
    translated: "max_steps learning_rate per_device_train_batch_size steps_per_generation num_iterations loss_type " +
      "scale_rewards epsilon_high warmup_ratio model reward_funcs train_dataset train_dataset.split",
    equal: "output_dir lr_scheduler_type",
    settings: {
      "workflow.train_steps": 13,
      "apply_update.preset": "trl/dr_grpo",
      "apply_update.minibatches": 4,
      "apply_update.updates_per_rollout": 8,
      "apply_update.clip_high": 0.28,
      "compute_advantages.scale": "none",
    },
  },
  "verl_ppo.sh": {
    translated: "data.train_files data.train_batch_size data.max_response_length actor_rollout_ref.model.path " +
      "actor_rollout_ref.actor.optim.lr actor_rollout_ref.actor.ppo_mini_batch_size critic.optim.lr critic.model.path",
    equal: "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu actor_rollout_ref.rollout.name " +
      "actor_rollout_ref.rollout.tensor_model_parallel_size algorithm.kl_ctrl.kl_coef trainer.logger " +
      "trainer.val_before_train trainer.n_gpus_per_node",
    not_supported: "data.val_files data.max_prompt_length trainer.total_epochs",
    settings: {
      "compute_advantages.preset": "verl/gae",
      "apply_update.preset": "verl/vanilla",
      "apply_update.weight_decay": 0.01,
      "update_critic.learning_rate": 1e-5,
      "update_critic.minibatches": 4,
    },
  },
  "verl_grpo.sh": {
    translated:
      "algorithm.adv_estimator data.train_batch_size actor_rollout_ref.rollout.n actor_rollout_ref.actor.use_kl_loss " +
      "actor_rollout_ref.actor.kl_loss_coef trainer.total_training_steps",
    equal: "trainer.logger",
    not_supported: "actor_rollout_ref.actor.clip_ratio",
    unknown: "data.extra",
    settings: { "apply_update.kl_coef": 0.001, "apply_update.updates_per_rollout": 4, "workflow.train_steps": 20 },
  },
  "openrlhf_ppo.sh": {
    translated:
      "actor.model_name_or_path reward.remote_url data.prompt_dataset data.input_key data.apply_chat_template " +
      "rollout.batch_size train.batch_size algo.advantage.estimator algo.kl.init_coef algo.kl.use_loss algo.kl.estimator " +
      "actor.adam.lr actor.eps_clip_low_high",
    equal: "rollout.n_samples_per_prompt ds.zero_stage",
    settings: {
      "compute_advantages.preset": "openrlhf/group_norm",
      "apply_update.kl_coef": 0.001,
      "apply_update.minibatches": 4,
      "apply_update.schedule_floor": 0.1,
      "apply_update.warmup_updates": 12,
    },
  },
  "openrlhf_dpo.sh": {
    translated: "pretrain dataset train_batch_size learning_rate nll_loss_coef",
    equal: "beta zero_stage",
    settings: { "train_preferences.loss_weights": [1, 0.05], "train_preferences.max_length": 512 },
  },
  "swift_grpo.sh": {
    translated: "model reward_funcs dataset per_device_train_batch_size learning_rate beta",
    equal: "rlhf_type train_type num_generations temperature num_processes",
    settings: {
      "sample_groups.top_p": 0.9,
      "apply_update.weight_decay": 0.1,
      "apply_update.kl_times_ratio": false,
      "load_prompts.limit": 1000,
    },
  },
  "llamafactory_dpo.yaml": {
    translated: "model_name_or_path finetuning_type lora_rank dataset cutoff_len per_device_train_batch_size " +
      "gradient_accumulation_steps learning_rate lr_scheduler_type warmup_ratio",
    equal: "trust_remote_code stage do_train pref_beta pref_loss",
    not_supported: "template bf16",
    settings: { "train_preferences.gradient_accumulation": 8, "train_preferences.warmup_updates": 10 },
  },
};

for (const [file, { settings: wanted, ...classes }] of Object.entries(EXAMPLES)) {
  Deno.test(`translate() gives every option of ${file} its class, settings their values, and a plan`, async () => {
    const { outcomes, settings, text } = await translate(join(import.meta.dirname!, "examples", file), file, "mine");
    for (const kind of ["translated", "equal", "not_supported", "unknown"] as const) {
      const own = outcomes.filter((outcome) => outcome.class === kind && outcome.line > 0).map(({ option }) => option);
      assert.equal(own.join(" "), classes[kind] ?? "", kind);
    }
    const found = Object.fromEntries(Object.keys(wanted).map((target) => [target, settings[target as "a.b"]]));
    assert.deepEqual(found, wanted);
    assert.equal(planRuns(parseWorkflow(text, "mine.yaml", { kinds: STEPS }), STEPS, {}).length, 1);
  });
}

Deno.test("translated() says what stands in the place of a value that is not taken", () => {
  const options = [{ name: "seed", value: -1, line: 1 }, { name: "beta", value: -2, line: 2 }];
  const { outcomes, settings } = translated(
    { system: "trl", trainer: "dpo", form: "x", options, notes: [] },
    "a.yaml",
    "a",
  );
  const text = (name: string) => outcomes.find(({ option }) => option === name)!.text;
  assert.match(text("seed"), /does not take -1: .*; 42 stands in its place/);
  assert.match(text("beta"), /does not take -2: .*; 0\.1 stands in its place/);
  assert.equal(settings["workflow.seed"], 42);
});

/** Values that cannot be taken: each is told as that, and the file still makes a plan. */
const UNUSABLE = [
  ["openrlhf", "ppo", { rollout_batch_size: 0, train_batch_size: 0, init_kl_coef: Infinity }],
  ["verl", "ppo", { "data.train_batch_size": Infinity, "actor_rollout_ref.actor.optim.lr": "$(lr)" }],
  ["trl", "grpo", { per_device_train_batch_size: 0, seed: -1, learning_rate: "x" }],
  ["trl", "dpo", { seed: 1e29, learning_rate: -1, max_steps: 1e29 }],
  ["ms-swift", "sft", { learning_rate: true, gradient_accumulation_steps: 0.5 }],
  ["llamafactory", "reward", { learning_rate: Infinity, save_steps: 1e29 }],
] as const;

for (const [system, trainer, given] of UNUSABLE) {
  Deno.test(`translated() tells what ${system} ${trainer} cannot take of ${Object.keys(given)}, and makes a plan`, () => {
    const options = Object.entries(given).map(([name, value], i) => ({ name, value, line: i + 1 }));
    const { outcomes, text } = translated({ system, trainer, form: "x", options, notes: [] }, "a.sh", "a");
    for (const { option, class: kind } of outcomes.filter(({ line }) => line > 0)) {
      assert.equal(kind, "not_supported", option);
    }
    assert.equal(planRuns(parseWorkflow(text, "a.yaml", { kinds: STEPS }), STEPS, {}).length, 1);
  });
}

/** Methods that no system has under this name, and one that it has. */
const NO_METHOD = [
  [
    "trl",
    "dpo",
    "loss_type",
    "sigmoidd",
    /line 1: loss_type: "sigmoidd" is none that is here; want one of TRL's: sigmoid, hinge, ipo/,
  ],
  ["trl", "dpo", "loss_type", ["sigmoid", "simpo"], /"\[simpo\]"|"simpo"/],
  ["trl", "kto", "loss_type", "bco", /"bco" is none that is here; want one of TRL's: kto, apo_zero_unpaired/],
  ["trl", "grpo", "loss_type", "gspo", /"gspo" is none that is here.*: grpo, bnpo, dr_grpo/],
  ["verl", "ppo", "actor_rollout_ref.actor.policy_loss.loss_mode", "ppo", /want one of verl's: vanilla/],
  ["verl", "ppo", "algorithm.adv_estimator", "vtrace", /want one of verl's: gae, grpo/],
  ["openrlhf", "ppo", "algo.advantage.estimator", "grpo", /want one of OpenRLHF's: gae, reinforce/],
  ["openrlhf", "ppo", "actor.policy_loss_type", "dapo", /want one of OpenRLHF's: ppo, gspo/],
  ["ms-swift", "grpo", "advantage_estimator", "gae", /want one of ms-swift's: grpo, rloo/],
  [
    "llamafactory",
    "dpo",
    "pref_loss",
    "hing",
    /"hing" is none that is here; want one of LLaMA-Factory's: sigmoid, hinge, ipo/,
  ],
] as const;

for (const [system, trainer, name, value, says] of NO_METHOD) {
  Deno.test(`translated() trains nothing in the place of ${name} ${value} of ${system} ${trainer}`, () => {
    const foreign = { system, trainer, form: "x", options: [{ name, value, line: 1 }], notes: [] };
    assert.throws(() => translated(foreign, "a.yaml", "a"), says);
    const later = { name, value: { unresolved: "$LOSS" }, line: 1 };
    const { outcomes } = translated({ ...foreign, options: [later] }, "a.yaml", "a");
    assert.match(outcomes.find(({ option }) => option === name)!.text, /only known when the program runs/);
  });
}

const FUZZED = 360;

Deno.test("translate() makes a plan without nonsense of files that no person writes, or says why not", async () => {
  const folder = await Deno.makeTempDir();
  let plans = 0;
  for (let i = 0; i < FUZZED; i++) {
    const { name, text: given } = fuzzedFile(i), file = join(folder, name);
    await Deno.writeTextFile(file, given);
    const made = await translate(file, name, "mine").catch((error: Error) => error);
    if (made instanceof Error) {
      assert(
        made.message.startsWith(`Cannot translate "${name}": `) && made.message.length < 1000,
        `${i}: ${made.stack}`,
      );
      continue;
    }
    assert.doesNotMatch(made.text, /\[object|undefined|\bNaN\b/, `${i}: ${given}`);
    assert.doesNotThrow(
      () => planRuns(parseWorkflow(made.text, "m.yaml", { kinds: STEPS }), STEPS, {}),
      `${i}: ${given}`,
    );
    plans++;
  }
  assert(plans > FUZZED / 3, `${plans} plans`);
  await Deno.remove(folder, { recursive: true });
});
