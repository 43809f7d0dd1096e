import assert from "node:assert/strict";
import { findForeign } from "../../../../workflows/preflight/foreign/find.ts";
import { LENGTH_RULES } from "../../../../workflows/preflight/foreign/length_rules.ts";
import { launchesOf } from "../../../../workflows/preflight/foreign/read_launch.ts";
import { firesWith, testRules } from "./cases.ts";

testRules(LENGTH_RULES);

/** What a rule says of a text: its severity, or null where it is silent. */
function said(rule: string, system: string, text: string, name = "run.sh"): string | null {
  const launches = launchesOf(name, text);
  assert(launches.length > 0, text);
  const run = { settings: [], system, algorithm: null } as never;
  return findForeign(run, launches).find((one) => one.rule === rule)?.finding.severity ?? null;
}

/** A rollout of each system on mathematics, with its longest completion left open. */
const ROLLOUTS: readonly (readonly [system: string, name: string, text: (most: number) => string])[] = [
  ["trl", "run.sh", (n) => `trl grpo --dataset_name openai/gsm8k --max_completion_length ${n}\n`],
  [
    "verl",
    "run.sh",
    (n) => `python3 -m verl.trainer.main_ppo data.train_files=gsm8k.parquet data.max_response_length=${n}\n`,
  ],
  [
    "openrlhf",
    "run.sh",
    (n) => `python3 -m openrlhf.cli.train_ppo_ray --prompt_data openai/gsm8k --generate_max_len ${n}\n`,
  ],
  [
    "ms-swift",
    "run.sh",
    (n) => `swift rlhf --rlhf_type grpo --dataset a --reward_funcs accuracy format --max_completion_length ${n}\n`,
  ],
  [
    "vlm-r1",
    "run.sh",
    (n) =>
      `torchrun open_r1/grpo_jsonl.py --data_file_paths a --image_folders b --reward_funcs accuracy format --max_completion_length ${n}\n`,
  ],
  [
    "visual-rft",
    "run.sh",
    (n) =>
      `torchrun src/virft/src/open_r1/grpo_classification.py --dataset_name reasoning --max_completion_length ${n}\n`,
  ],
  ["llamafactory", "run.yaml", (n) => `stage: ppo\ntemplate: qwen\ndataset: math\nmax_new_tokens: ${n}\n`],
  [
    "unsloth",
    "run.py",
    (n) =>
      `from unsloth import FastLanguageModel\nfrom trl import GRPOConfig, GRPOTrainer\n` +
      `trainer = GRPOTrainer(model="m", args=GRPOConfig(max_completion_length=${n}), train_dataset="openai/gsm8k")\n`,
  ],
];

for (const [system, name, text] of ROLLOUTS) {
  Deno.test(`completion_of_a_word names a cap of 4 to 16 tokens in ${system}, and none of 256`, () => {
    for (const most of [4, 16]) assert.equal(said("completion_of_a_word", system, text(most), name), "warning");
    assert.equal(said("completion_of_a_word", system, text(256), name), null);
  });
}

Deno.test("images_cut takes an image_resolution for the side of an image, and a large one for its pixels", async () => {
  const cut = (resolution: string) => firesWith("images_cut", "cutoff_len: 512", `cutoff_len: 512\n${resolution}`);
  for (
    const [resolution, fires] of [
      ["image_resolution: 768", true], // 752 tokens
      ["image_resolution: 640", true], // 522
      ["image_resolution: 630", false], // 506
      ["image_resolution: 589824", true],
      ["image_max_pixels: 262144", false], // 334
    ] as const
  ) {
    assert.equal(await cut(resolution), fires, resolution);
  }
});

Deno.test("completion_of_a_word is a remark where nothing says that more than a word is wanted", () => {
  const text = "trl grpo --dataset_name stanfordnlp/sst2 --reward_funcs my.label_reward --max_completion_length 8\n";
  assert.equal(said("completion_of_a_word", "trl", text), "info");
  assert.equal(
    said("completion_of_a_word", "trl", "trl sft --dataset_name openai/gsm8k --max_completion_length 8\n"),
    null,
  );
});

Deno.test("row_of_a_template names rows and prompts of a template's length, and not a switch that says none", () => {
  const row = (text: string, system = "trl", name = "run.sh") => said("row_of_a_template", system, text, name);
  assert.equal(row("trl sft --dataset_name a --max_length 16\n"), "warning");
  assert.equal(row("trl sft --dataset_name a --max_length 512\n"), null);
  assert.equal(row("trl sft --dataset_name a --max_length -1\n"), null);
  assert.equal(row("python3 -m verl.trainer.main_ppo data.max_prompt_length=16\n", "verl"), "warning");
  assert.equal(row("python3 -m openrlhf.cli.train_sft --max_len 20 --dataset a\n", "openrlhf"), "warning");
  assert.equal(row("swift sft --dataset a --max_length 32\n", "ms-swift"), "warning");
});
