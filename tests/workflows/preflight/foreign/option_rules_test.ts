import assert from "node:assert/strict";
import { findForeign } from "../../../../workflows/preflight/foreign/find.ts";
import { OPTION_RULES } from "../../../../workflows/preflight/foreign/option_rules.ts";
import { launchesOf } from "../../../../workflows/preflight/foreign/read_launch.ts";
import { testRules } from "./cases.ts";

testRules(OPTION_RULES);

/** What the two rules say of a text: severity, and the option to write. */
function said(text: string, name = "run.sh"): string[] {
  const launches = launchesOf(name, text);
  assert(launches.length > 0, text);
  const run = { settings: [], system: launches[0]!.system, algorithm: null } as never;
  return findForeign(run, launches).filter(({ rule }) => rule in OPTION_RULES)
    .map(({ rule, finding }) => `${rule} ${finding.severity}: ${finding.remedy.options.join(", ")}`);
}

const CASES: readonly (readonly [text: string, found: readonly string[], name?: string])[] = [
  ["python3 -m verl.trainer.main_ppo trainer.total_epoch=15\n", ["unknown_option error: trainer.total_epochs=15"]],
  ["python3 -m verl.trainer.main_ppo +trainer.total_epoch=15\n", ["unknown_option warning: trainer.total_epochs=15"]],
  ["total_epoch=15\npython3 -m verl.trainer.main_ppo trainer.total_epochs=$total_epoch\n", []],
  ["python3 -m verl.trainer.main_ppo data.train_file=a.parquet\n", [
    "unknown_option error: data.train_files=a.parquet",
  ]],
  [
    "python3 -m verl.trainer.main_ppo trainer.num_epochs=15\n",
    ["name_of_other_system error: trainer.total_epochs=15"],
  ],
  [
    "python3 -m openrlhf.cli.train_ppo_ray --pretrain a --num_generations 8\n",
    ["name_of_other_system error: --rollout.n_samples_per_prompt 8"],
  ],
  [
    "swift rlhf --rlhf_type grpo --model a --dataset b --max_response_length 512\n",
    ["name_of_other_system error: --max_completion_length 512"],
  ],
  ["stage: sft\ntemplate: qwen\nfinetuning_type: lora\nnum_epochs: 3\n", [
    "name_of_other_system error: num_train_epochs: 3",
  ], "a.yaml"],
  [
    "stage: sft\ntemplate: qwen\nfinetuning_type: lora\nsave_step: 3\n",
    ["unknown_option error: save_steps: 3"],
    "a.yaml",
  ],
  // A program of one's own may have any option, and argparse takes the beginning of one for it.
  [
    "torchrun src/open_r1/grpo_jsonl.py --data_file_paths a --image_folders b --lr 1e-6\n",
    ["name_of_other_system warning: --learning_rate 1.0e-6"],
  ],
  ["trl grpo --dataset_name a --num_train_epoch 3 --reward_funcs accuracy_reward\n", []],
  ["accelerate launch grpo.py --dataset_name a --num_generations 8 --reward_function mine\n", []],
  // Other trainers of TRL have the name.
  [
    "from trl import OnlineDPOConfig, OnlineDPOTrainer\nOnlineDPOTrainer(model='a', args=OnlineDPOConfig(max_new_tokens=64))\n",
    [],
    "a.py",
  ],
  [
    "from trl import RLOOConfig, RLOOTrainer\nRLOOTrainer(model='a', args=RLOOConfig(max_new_tokens=64), reward_funcs=f)\n",
    ["name_of_other_system error: max_completion_length=64"],
    "a.py",
  ],
];

for (const [text, found, name] of CASES) {
  Deno.test(`options that the trainer has not: ${text.split("\n")[0]} ${found.length === 0 ? "has none" : ""}`, () => {
    assert.deepEqual(said(text, name), found);
  });
}
