/** Each cause of rewards, policy and numbers is named from a post that shows it, and not from its twin. */
import assert from "node:assert/strict";
import { POLICY_PATTERNS } from "../../../../steps/diagnoses/told/policy_patterns.ts";
import { toldFinding } from "../../../../steps/diagnoses/told/told_finding.ts";
import { alarmsOf, type Pairs, testPatterns } from "./diagnosed.ts";
import { viewOfPost } from "./view_of_post.ts";

/** NaN from the first record on, and a sampler that writes token 0. */
const NAN_AT_ONCE = (dtype: string) =>
  `GRPO 训练，第一步就全是 nan，输出全是 "!!!!!!!!"。环境：V100，${dtype}。\n\n` +
  "{'loss': nan, 'grad_norm': nan, 'reward': 0.0}\n{'loss': nan, 'grad_norm': nan, 'reward': 0.0}\n";

const log = (...records: readonly string[]) =>
  `Hi, I run GRPO, why is it so?\n\n${records.map((one) => `{${one}}`).join("\n")}\n`;
const code = (line: string) =>
  `GRPO, my reward function:\n\n\`\`\`python\ndef reward_func(completions, **kwargs):\n    ${line}\n\`\`\`\n\nWhy does it not learn?\n`;

const POSTS: Pairs = {
  fp16_overflow: [[
    "GRPO 训练用 fp16=True，第 30 步之后 loss 变成 nan，请问为什么？",
    "GRPO 训练用 bf16=True，第 30 步之后 loss 变成 nan，请问为什么？",
  ], [
    NAN_AT_ONCE("fp16"),
    NAN_AT_ONCE("bf16"),
  ]],
  critic_not_learning: [[
    "PPO: the critic loss is NaN from step 20 on, the policy loss is fine. Why?",
    "PPO: the policy loss is NaN from step 20 on. Why?",
  ], [
    "PPO 训练，价值网络的损失从 0.6 涨到 5200，reward 从 1.1 掉到 -2，为什么？",
    "PPO 训练，价值网络的损失从 0.6 降到 0.2，reward 从 1.1 掉到 -2，为什么？",
  ], [
    "PPO: the value loss does not move at all over 400 steps and the reward is stuck at 0.31. Why?",
    "PPO: the value loss falls from 1.2 to 0.3 over 400 steps and the reward is stuck at 0.31. Why?",
  ]],
  kl_explosion: [[
    "GRPO: the KL explodes and the reward falls. Why?",
    "GRPO: the KL is 0.02 and the reward falls. Why?",
  ]],
  all_completions_masked: [[
    `${
      log("'loss': 0.0, 'grad_norm': 0.0, 'entropy': 0.0, 'completions/clipped_ratio': 1.0")
    }\nI use mask_truncated_completions=True.\n`,
    log("'loss': 0.0, 'grad_norm': 0.0, 'entropy': 0.6, 'completions/clipped_ratio': 1.0"),
  ]],
  zero_reward_variance: [
    [
      "GRPO: the reward std is zero, grad_norm is 0, the rewards are 0.31 and 0.52. I see readable completions. Why?",
      "GRPO: the reward std is zero, grad_norm is 0, the completions of a group are identical. Why?",
    ],
    [
      log(
        "'loss': 0.01, 'reward': 0.5, 'frac_reward_zero_std': 0.9, 'grad_norm': 0.1",
        "'loss': 0.02, 'reward': 0.45, 'frac_reward_zero_std': 0.95, 'grad_norm': 0.1",
      ),
      log(
        "'loss': 0.01, 'reward': 0.5, 'frac_reward_zero_std': 0.2, 'grad_norm': 0.4",
        "'loss': 0.02, 'reward': 0.45, 'frac_reward_zero_std': 0.3, 'grad_norm': 0.4",
      ),
    ],
    [
      "DAPO stops, why?\n\n```\nValueError: num_gen_batches=10 > max_num_gen_batches=10. Generated too many. Please check your data.\n```\n",
      "DAPO goes on, why?\n\n```\nnum_gen_batches=2. Keep generating...\n```\n",
    ],
  ],
  all_correct_saturated: [[
    "GRPO 训练时 accuracy reward 和 format reward 从头到尾一直都是 1，请问为什么？",
    "GRPO 训练时 accuracy reward 从头到尾一直都是 1，验证集准确率在上升，请问正常吗？",
  ]],
  constant_reward: [[
    code("return [1.0 for _ in completions]"),
    code("return [float(len(c) > 3) for c in completions]"),
  ]],
  reward_collapse: [
    [
      "Ich trainiere mit GRPO. Der Gradient explodiert und der Reward sinkt. Warum?",
      "Ich trainiere mit GRPO. Der Gradient explodiert und der Reward steigt. Warum?",
    ],
    [
      "GRPO 训练到 200 步 reward 突然崩溃，请问为什么？",
      "I run GRPO. The reward lies between 0.2 and 0.6. Is it normal?",
    ],
  ],
  entropy_collapse: [
    [
      "GRPO: the entropy is 0.015 and sampling is nearly deterministic. The KL is 0 on all steps. Why?",
      "GRPO: the entropy is 0.5 and sampling is diverse. The KL is 0 on all steps. Why?",
    ],
    [
      log(
        "'loss': 0.01, 'reward': 0.4, 'entropy': 0.01, 'grad_norm': 0.1",
        "'loss': 0.02, 'reward': 0.41, 'entropy': 0.008, 'grad_norm': 0.1",
        "'loss': 0.02, 'reward': 0.4, 'entropy': 0.006, 'grad_norm': 0.1",
      ),
      log(
        "'loss': 0.01, 'reward': 0.4, 'entropy': 0.5, 'grad_norm': 0.1",
        "'loss': 0.02, 'reward': 0.41, 'entropy': 0.52, 'grad_norm': 0.1",
        "'loss': 0.02, 'reward': 0.4, 'entropy': 0.51, 'grad_norm': 0.1",
      ),
    ],
    [
      "GRPO: the entropy collapses and the reward does not improve. Why?",
      "GRPO: the entropy falls and the reward rises. Is it right?",
    ],
  ],
  all_incorrect_reward_floor: [
    [
      "GRPO: the reward is always 0. The completions are readable, but the answers are wrong. Why?",
      "GRPO: the reward is always 0. The completions are gibberish. Why?",
    ],
    [
      "GRPO: even after 500 steps both loss and reward are 0. Why?",
      "GRPO: the loss and the reward are 0 at step 3. Why?",
    ],
    [
      "GRPO: the format reward keeps rising, but the accuracy reward is nearly zero. Why?",
      "GRPO: the format reward keeps rising, but the accuracy reward is nearly zero, though the answers are correct. Why?",
    ],
  ],
  reward_parser_mismatch: [[
    "GRPO: the reward is always 0, but the answers are correct. Why?",
    "GRPO: the reward is always 0, and the answers are wrong. Why?",
  ]],
  negative_kl_estimate: [[
    "GRPO: the KL is negative, and it explodes. Why?",
    "GRPO: the KL is positive and stable. Is it right?",
  ]],
  invalid_reward_values: [[
    "GRPO: la récompense est NaN. Pourquoi ?",
    "GRPO: la récompense est 0.4. Est-ce bon ?",
  ]],
  update_too_small: [[
    "GRPO with learning_rate=1e-9: the reward does not improve. Why?",
    "GRPO with learning_rate=1e-6: the reward does not improve. Why?",
  ]],
  rollout_trainer_mismatch: [[
    "GRPO with vLLM: the log-probs of vLLM differ from the trainer's. Why?",
    "GRPO with vLLM: the log-probs of vLLM are those of the trainer. Is it right?",
  ]],
  learning_rate_too_high: [[
    "GRPO with learning_rate=1e-3: the KL explodes and the reward collapses. Why?",
    "GRPO with learning_rate=1e-6: the KL explodes and the reward collapses. Why?",
  ], [
    "GRPO with learning_rate=1e-3: the outputs become gibberish. Why?",
    "GRPO with learning_rate=1e-6: the outputs become gibberish. Why?",
  ]],
  training_divergence: [[
    "SFT: обучение, лосс растёт с каждым шагом. Почему?",
    "SFT: обучение, лосс падает с каждым шагом. Хорошо ли это?",
  ], [
    "GRPO: after 200 steps the entropy explodes and grad_norm spikes again and again. Why?",
    "GRPO: after 200 steps the entropy explodes and the reward rises. Is that fine?",
  ]],
};

testPatterns("POLICY_PATTERNS", POLICY_PATTERNS, POSTS);

Deno.test("entropy_collapse is not named of a run that earns: little entropy is what a learned task has", async () => {
  const gone = "GRPO in TRL. The entropy is 0.01 and completions get longer and longer.", alarm = "entropy_collapse";
  assert(!(await alarmsOf(`${gone} The reward rises.`)).includes(alarm));
  assert((await alarmsOf(`${gone} Completions repeat one phrase, and the reward is flat.`)).includes(alarm));
});

Deno.test("all_incorrect_reward_floor is not told where answers are right and paid nothing", async () => {
  const post = "GRPO in TRL. The reward is 0 all the time. The completions are readable";
  assert.equal(
    toldFinding("all_incorrect_reward_floor", await viewOfPost(`${post} and the answers are correct.`)),
    null,
  );
  assert.notEqual(
    toldFinding("all_incorrect_reward_floor", await viewOfPost(`${post} and the answers are wrong.`)),
    null,
  );
});

Deno.test("groups that tie on the first one or two records name nothing, and do where it is said of more", async () => {
  const record = "{'loss': 0.0, 'grad_norm': 0.0, 'reward': 0.0, 'reward_std': 0.0, 'frac_reward_zero_std': 1.0}";
  const post = (said: string) => `${said}\n\n\`\`\`\n${record}\n${record}\n\`\`\`\n`;
  assert(!(await alarmsOf(post("GRPO, the first records. Will it change?"))).includes("zero_reward_variance"));
  assert((await alarmsOf(post("GRPO. reward_std is always 0, over 300 steps. Why?"))).length > 0);
});
