import assert from "node:assert/strict";
import { readFiles, readText } from "../read_text.ts";

const DICT = (extra: string) => `{'loss': 0.0, 'grad_norm': 0.5, 'learning_rate': 1e-06, ${extra}, 'epoch': 0.1}\n`;

for (
  const [what, text, system, algorithm] of [
    ["TRL GRPO", DICT("'completions/mean_length': 12.0, 'reward': 0.5"), "trl", "grpo"],
    ["TRL KTO", DICT("'rewards/chosen': 0.1, 'rewards/rejected': 0.0, 'kl': 0.2"), "trl", "kto"],
    ["TRL DPO", DICT("'rewards/chosen': 0.1, 'rewards/margins': 0.0, 'rewards/accuracies': 0.5"), "trl", "dpo"],
    ["TRL SFT", DICT("'mean_token_accuracy': 0.5"), "trl", "sft"],
    ["Visual-RFT", DICT("'rewards/accuracy_reward_iou': 0.1, 'completion_length': 9.0"), "visual-rft", "grpo"],
    ["verl GRPO", "step:1 - actor/pg_loss:0.5 - critic/score/mean:0.5 - response_length/mean:12.0\n", "verl", "grpo"],
    ["verl PPO", "step:1 - actor/pg_loss:0.5 - critic/vf_loss:0.5\n", "verl", "ppo"],
    [
      "OpenRLHF KTO",
      "Train step of epoch 0: {'kto_loss': 0.5, 'chosen_reward': 0.1, 'lr': 1e-06}\n",
      "openrlhf",
      "kto",
    ],
    ["an Unsloth console", "🦥 Unsloth 2025.6.3\n" + DICT("'reward': 0.5"), "unsloth", "grpo"],
    ["torchforge", "grpo_loss/kl_divergence_mean: 0.1\ngrpo_loss/total_loss: 1.7\n", "torchforge", "grpo"],
    ["nothing known", "hello world\n", null, null],
  ] as const
) {
  Deno.test(`guessSystem() and guessAlgorithm() of ${what}`, async () => {
    const run = await readText(text);
    assert.deepEqual([run.system, run.algorithm], [system, algorithm]);
  });
}

for (
  const [system, lines] of Object.entries({
    torchforge: ["from torchforge", "grpo_loss/kl: 0.1"],
    "nemo-rl": ["uv run python -m nemo_rl.run", "NeMo-RL 0.3"],
    mlx: ["python -m mlx_lm.lora", "pip install mlx-lm"],
    "deepspeed-chat": ["cd DeepSpeed-Chat", "training/step3_rlhf_finetuning/main.py"],
    "ms-swift": [
      "swift rlhf",
      "File swift/llm/train/rlhf.py",
      "[INFO:swift] Successfully registered",
      "error: argument --rlhf_type: expected one argument",
      "train_speed(iter/s): 0.1",
    ],
    unsloth: ["Unsloth 2025.6.3", "import unsloth"],
    llamafactory: ["[INFO] llamafactory.hparams", "Welcome to LLaMA-Factory", "python src/train_bash.py"],
    "visual-rft": ["src/virft/src/open_r1/grpo.py", "ViRFT_COCO"],
    "vlm-r1": ["cd VLM-R1", "src/open-r1-multimodal"],
    "r1-v-family": ["src/r1-v/src", "cd R1-V"],
    openrlhf: ["python -m openrlhf.cli.train_ppo_ray"],
    verl: ["python3 -m verl.trainer.main_ppo", "(TaskRunner pid=7) hello", "(main_task pid=7) hello"],
  })
) {
  Deno.test(`guessSystem() knows ${system} by each of its marks, alone`, async () => {
    for (const line of lines) assert.equal((await readText(`${line}\n`)).system, system, line);
  });
}

Deno.test("guessSystem() lets OpenRLHF's mark decide before verl's", async () => {
  const run = await readText("(TaskRunner pid=7) hello\npython -m openrlhf.cli.train_ppo_ray\n");
  assert.equal(run.system, "openrlhf");
});

Deno.test("guessAlgorithm() takes OpenRLHF's program without an estimator, or with a critic, for PPO", async () => {
  const of = async (options: string, program = "openrlhf.cli.train_ppo_ray") =>
    (await readFiles({ "run.sh": `python -m ${program} --pretrain a ${options}\n` })).algorithm;
  for (const program of ["openrlhf.cli.train_ppo_ray", "openrlhf.cli.train_ppo"]) {
    assert.equal(await of("--critic_learning_rate 9e-6 --n_samples_per_prompt 1", program), "ppo");
    assert.equal(await of("--n_samples_per_prompt 8", program), "ppo");
    assert.equal(await of("--n_samples_per_prompt 8 --advantage_estimator group_norm", program), "grpo");
    assert.equal(await of("--critic_num_nodes 1 --n_samples_per_prompt 8 --advantage_estimator rloo", program), "rloo");
  }
  const log = "{'policy_loss': 0.1, 'reward': 0.3, 'return': 0.3, 'kl': 0.01, 'response_length': 300.0}\n";
  const critic = "+ python train.py --critic_num_nodes 1 --n_samples_per_prompt 1\n";
  assert.equal((await readText(critic + log)).algorithm, "ppo");
  assert.equal((await readText(log)).algorithm, "grpo");
});

Deno.test("guessAlgorithm() believes a configuration before it looks at columns", async () => {
  const run = await readFiles({
    "config.txt": "advantage_estimator: reinforce_baseline\n",
    "log.txt": "✨ Global step 1: {'policy_loss': 0.1, 'reward': 0.5, 'response_length': 12.0}\n",
  });
  assert.equal(run.algorithm, "reinforce");
});

for (
  const [what, files, scope] of [
    ["TRL 0.26", { "config.txt": "trl: 0.26.1\n", "log.txt": DICT("'reward_std': 0.5") }, "group"],
    ["TRL 1.16", { "config.txt": "trl: 1.16.0\n", "log.txt": DICT("'reward_std': 0.5") }, "batch"],
    ["old names", { "log.txt": DICT("'completion_length': 9.0, 'reward_std': 0.5") }, "group"],
    ["spread without spread in groups", {
      "log.txt": DICT("'completions/mean_length': 9.0, 'reward_std': 0.5, 'frac_reward_zero_std': 1.0"),
    }, "batch"],
    ["no spread beside a reward that spreads", {
      "log.txt": DICT("'completions/mean_length': 9.0, 'rewards/a/std': 5.0, 'rewards/b/std': 0.0, 'reward_std': 0.0"),
    }, "group"],
    ["nothing to tell by", { "log.txt": DICT("'completions/mean_length': 9.0, 'reward_std': 0.5") }, "unknown"],
  ] as const
) {
  Deno.test(`rewardStdScope() with ${what} is ${scope}`, async () => {
    const run = await readFiles(files);
    assert.equal(run.rows.log!.rewardStdScope, scope);
    assert.equal(run.metrics.columns.has(scope === "group" ? "group_reward_std" : "reward_std"), true);
  });
}

/** Four printed records, with what is asked for at the end. */
const RECORDS = (row: (i: number) => string) =>
  "```\n" + [1, 2, 3, 4].map((i) => `{'loss': 0.${i}, ${row(i)}, 'epoch': 0.0${i}}`).join("\n") + "\n```\n";
const ROLLOUTS = RECORDS((i) => `'reward': 0.${i}, 'kl': 0.0${i}, 'entropy': 0.${9 - i}`);
const PAIRS = RECORDS((i) => `'logps/chosen': -12${i}.0, 'logps/rejected': -14${i}.0, 'rewards/margins': 0.${i}`);
const SUPERVISED = RECORDS((i) => `'grad_norm': 0.${i}, 'mean_token_accuracy': 0.${i}`);
const REWARD_MODEL = RECORDS((i) => `'accuracy': 0.${i}, 'min_reward': -0.${i}, 'max_reward': 0.${i}`);

for (
  const [what, text, algorithm] of [
    ["rewards with a KL", `Full fine-tuning of Qwen2.5-7B with \`--learning_rate 1e-3\`.\n\n${ROLLOUTS}`, "grpo"],
    ["rewards beneath LoRA", `My LoRA run, what is wrong?\n\n${ROLLOUTS}`, "grpo"],
    ["rewards beneath a reward model's name", `The RewardTrainer went well, this did not:\n\n${ROLLOUTS}`, "grpo"],
    ["log-probs of pairs", `LoRA 微调，margin 一直涨。\n\n${PAIRS}`, "dpo"],
    ["several completions", "LoRA fine-tuning with num_generations=8, and the reward falls from 0.5 to 0.1.\n", "grpo"],
    ["supervised records", `Full fine-tuning of Qwen2.5-7B with LoRA.\n\n${SUPERVISED}`, "sft"],
    ["a reward model's records", `I use the RewardTrainer with LoRA.\n\n${REWARD_MODEL}`, "sft"],
    ["one completion", "LoRA fine-tuning with num_generations=1, the loss stays at 2.3.\n", "sft"],
    ["a method's own name", `DPO with LoRA. Before it we did RL:\n\n${ROLLOUTS}`, "dpo"],
  ] as const
) {
  Deno.test(`guessAlgorithm() takes fine-tuning for what its log shows: ${what}`, async () => {
    assert.equal((await readFiles({ "post.md": text })).algorithm, algorithm);
  });
}
