/** Every development case parses; one value per format is checked by hand against the file. */
import assert from "node:assert/strict";
import { readRun } from "../../../data/adapters/read_run.ts";
import { shown, type ShownRun } from "./read_text.ts";

const CASES = new URL("../../cases/", import.meta.url);

/** case → column, row (from 0), value as the file prints it. */
const VALUES: readonly [name: string, column: string, row: number, value: number | null][] = [
  ["001-trl-benign-zero-loss-text2sql", "grad_norm", 0, 0.08656957000494003],
  ["001-trl-benign-zero-loss-text2sql", "reward.hint_reward", 3, 0.9810375615954399],
  ["002-trl-zero-group-std-but-batch-std", "reward_std.if_rewrite_reward", 0, 5.080004692077637],
  ["002-trl-zero-group-std-but-batch-std", "group_reward_std", 0, 0],
  ["003-swift-gradnorm0-rewardstd-ok-lora", "learning_rate", 0, 2.6e-07],
  ["005-swift-after-deepspeed-upgrade", "truncated_fraction", 0, 0.75],
  ["007-openr1-hacked-steps-reward-accuracy-decays", "reward.cosine_scaled_reward", 1, -0.12882936951355078],
  ["008-vrft-aircraft4shot-healthy", "completion_length", 2, 26.2109375],
  ["018-vlmr1-image-corrupted-iou0", "reward.iou_reward", 1, 0.0234375],
  ["021-uir1-clip-ratio-zero-benign", "clip_fraction", 0, 0],
  ["024-traindeepseekr1-accuracy-constant-half", "reward.accuracy_reward", 1, 0.5],
  ["026-agentr1-30-nan-all-clipped", "grad_norm", 0, NaN],
  ["026-agentr1-30-nan-all-clipped", "truncated_fraction", 0, 1],
  ["027-verl-2060-healthy-gsm8k", "completion_length", 0, 288.698],
  ["029-verl-quickstart-docs-healthy-ppo", "critic_grad_norm", 0, 1023.278],
  ["030-autocontext-1067-truncation-all", "terminated_length", 0, 0],
  ["032-tinylora-coder-healthy", "loss", 0, -0.0982],
  ["035-halos-24-kto-kl-zero", "kl", 2, 0],
  ["035-halos-24-kto-kl-zero", "chosen_reward", 0, 1.194046974182129],
  ["036-openr1-704-kl-nan-loss-finite", "kl", 3, NaN],
  ["036-openr1-704-kl-nan-loss-finite", "entropy", 1, null],
  ["036-openr1-704-kl-nan-loss-finite", "reward.score_reward", 0, 6.5625],
  ["041-dschat-444-inf-actor-critic-loss", "value_loss", 1, Infinity],
  ["041-dschat-444-inf-actor-critic-loss", "reward", 2, -4.54296875],
  ["043-unsloth-constrained-decoding-kl-10000", "kl", 0, 10832.919916534423],
  ["045-swift-multiturn-format0", "turns", 0, 5],
  ["046-trl-mc-vqa-all-right", "reward.mdi_reward", 0, -0.4],
  ["047-trl-recall-floor-reward", "grad_norm", 0, 7.355426350841299e-05],
  ["052-nips-gate1-healthy-string-values", "loss", 2, 1.169e-05],
  ["052-nips-gate1-healthy-string-values", "group_reward_std", 0, 0.1768],
  ["054-wordle-grpo-flat-reward", "entropy", 1, 1.2266818210482597],
  ["061-torchforge-664-kl-billions", "kl_max", 0, 6_821_680_128],
  ["101-trl-kto", "entropy", 0, 0.31459471583366394],
  ["103-trl-grpo", "reward_std.accuracy_reward", 0, 0.4709290862083435],
];

/** What a case's configuration says, in our words. */
const SETTINGS: readonly [name: string, option: string, value: unknown][] = [
  ["003-swift-gradnorm0-rewardstd-ok-lora", "lora_target_modules", "all-linear"],
  ["006-swift-intragroup-std-zero", "temperature", 1.1],
  ["012-vrft-qwen25vl-absolute-coordinates", "max_prompt_length", 1024],
  ["013-vrft-num-generations-2", "group_size", 2],
  ["031-trl-quickstart-256-truncation", "max_new_tokens", 256],
  ["037-openrlhf-1120-nan-after-100-steps", "learning_rate", 3e-7],
  ["061-torchforge-664-kl-billions", "kl_coef", 1e-6],
  ["070-trl-3089-peft-reentrant-checkpoint", "gradient_checkpointing_reentrant", true],
  ["072-llamafactory-664-negative-kl", "algorithm", "ppo"],
  ["106-trl-grpo", "top_p", 0.001],
];

const MESSAGES: readonly [name: string, kind: string, value: number | null][] = [
  ["001-trl-benign-zero-loss-text2sql", "inputs_without_grad", null],
  ["043-unsloth-constrained-decoding-kl-10000", "trainable_parameters", 8_798_208],
  ["050-peft-kbit-freeze-trainable-zero", "trainable_parameters", 0],
  ["050-peft-kbit-freeze-trainable-zero", "no_inf_checks", null],
  ["070-trl-3089-peft-reentrant-checkpoint", "no_grad_function", null],
  ["072-llamafactory-664-negative-kl", "negative_kl", -5.27],
  ["101-trl-kto", "class_imbalance", null],
];

const runs = new Map<string, ShownRun>();
async function run(name: string): Promise<ShownRun> {
  let found = runs.get(name);
  if (found === undefined) {
    const all = await readRun([new URL(name, CASES).pathname]);
    assert.equal(all.length, 1, `${name} is one run`);
    runs.set(name, found = shown(all[0]!));
  }
  return found;
}

Deno.test("readRun() reads every case folder, with the system and the algorithm of its label", async () => {
  // What the files cannot tell: an aircraft run and a screen run that print TRL's names only; two lines of an exception.
  const untold = new Map([
    ["008-vrft-aircraft4shot-healthy", "trl"],
    ["021-uir1-clip-ratio-zero-benign", "trl"],
  ]);
  const noAlgorithm = new Set(["050-peft-kbit-freeze-trainable-zero", "070-trl-3089-peft-reentrant-checkpoint"]);
  let count = 0;
  for await (const { name, isDirectory } of Deno.readDir(CASES)) {
    if (!isDirectory) continue;
    count++;
    const { system, algorithm, metrics, settings, messages, completions } = await run(name);
    const label = JSON.parse(await Deno.readTextFile(new URL(`${name}/label.json`, CASES)));
    assert.equal(system, untold.get(name) ?? label.system, name);
    assert.equal(algorithm, noAlgorithm.has(name) ? null : label.algorithm, name);
    assert(metrics.rows + settings.length + messages.length + completions.length > 0, `${name} gave nothing`);
  }
  assert.equal(count, 55);
});

for (const [name, column, row, value] of VALUES) {
  Deno.test(`readRun() reads ${column} ${value} of ${name}`, async () => {
    const { metrics } = await run(name);
    assert(metrics.columns.has(column), `columns are ${[...metrics.columns.keys()].join(", ")}`);
    assert.equal(metrics.columns.get(column)![row], value);
  });
}

for (const [name, option, value] of SETTINGS) {
  Deno.test(`readRun() reads the setting ${option} of ${name}`, async () => {
    const values = (await run(name)).settings.filter((setting) => setting.option === option).map((setting) =>
      setting.value
    );
    assert(values.includes(value), JSON.stringify(values));
  });
}

for (const [name, kind, value] of MESSAGES) {
  Deno.test(`readRun() recognises ${kind} in ${name}`, async () => {
    const found = (await run(name)).messages.find((message) => message.kind === kind);
    assert.equal(found?.value, value);
  });
}

Deno.test("readRun() knows what three printed decimals hide, and where values were printed", async () => {
  const { metrics } = await run("027-verl-2060-healthy-gsm8k");
  assert.equal(metrics.columns.get("learning_rate")![0], 0);
  assert.equal(metrics.printed.get("learning_rate")!.decimals, 3);
  assert.deepEqual(metrics.printed.get("kl"), { names: ["actor/kl_loss"], decimals: 3 });
  assert.deepEqual([metrics.line, metrics.columns.get("kl"), metrics.train_step], [[3], [0], [1]]);
});

Deno.test("readRun() keeps evaluations apart: verl's step 0 and eval_ dicts are no train steps", async () => {
  const verl = await run("027-verl-2060-healthy-gsm8k");
  assert.deepEqual(verl.metrics.train_step, [1]);
  assert.equal(verl.evaluations.columns.get("accuracy")![0], 0.508);
  const trl = await run("024-traindeepseekr1-accuracy-constant-half");
  assert.equal(trl.metrics.rows, 2);
  assert.equal(trl.evaluations.columns.get("reward.accuracy_reward")![0], 0.5);
});

Deno.test("readRun() takes completions from the file that holds them whole", async () => {
  const { completions, skipped } = await run("103-trl-grpo");
  const first = completions[0]!;
  assert.deepEqual([completions.length, first.train_step, first.prompt, first.text], [
    480,
    1,
    "8+2=",
    "<think>8+2</think><answer>10</answer>",
  ]);
  assert.equal(first.rewards.get("format_reward"), 1);
  assert.equal(first.advantage, 0.9352392554283142);
  assert.deepEqual(completions.slice(7, 10).map(({ prompt_id, sample }) => [prompt_id, sample]), [[0, 7], [1, 0], [
    1,
    1,
  ]]);
  assert(skipped.some(({ reason }) => reason.includes("that a file holds whole")));
});

Deno.test("readRun() reads debug blocks and a bare text as completions", async () => {
  const blocks = (await run("018-vlmr1-image-corrupted-iou0")).completions;
  assert.equal(blocks.length, 3);
  assert.equal(blocks[1]!.answer, "[267.47, 3.22, 395.29, 196.57]");
  assert.equal(blocks[0]!.reward, 0);
  const bare = (await run("037-openrlhf-1120-nan-after-100-steps")).completions;
  assert.deepEqual(bare.map(({ text }) => text), ["!".repeat(45)]);
});

Deno.test("readRun() never reads a label", async () => {
  const { sources } = await run("106-trl-grpo");
  assert.deepEqual(
    sources.map(({ path, format }) => [path.split("/").at(-1), format]),
    [
      ["completions.jsonl", "completions"],
      ["config.txt", "console"],
      ["generation_config.json", "configuration"],
      ["log.txt", "console"],
      ["trainer_state.json", "trainer_state"],
    ],
  );
});
