/** Each cause of the course of a run is named from a post that shows it, and not from its twin. */
import assert from "node:assert/strict";
import { COURSE_PATTERNS } from "../../../../steps/diagnoses/told/course_patterns.ts";
import { alarmsOf, type Pairs, testPatterns } from "./diagnosed.ts";

const log = (...records: readonly string[]) => records.map((one) => `{${one}}`).join("\n");

const POSTS: Pairs = {
  reward_imbalance: [[
    "GRPO: the reward rises, but the accuracy reward stays at 0. Why?",
    "GRPO: the reward rises, and the accuracy reward rises too. Is it right?",
  ]],
  learning_plateau: [[
    "GRPO: the reward rose to 0.6 in the first 100 steps. Since then the reward is stuck. What can I do?",
    "GRPO: the reward rose to 0.6 in the first 100 steps. Since then the reward is stuck and the KL explodes. What can I do?",
  ]],
  flat_reward_no_learning: [[
    `GRPO 训练，reward 一直不涨，请问为什么？\n\n${
      log("'loss': 0.01, 'kl': 0.02, 'grad_norm': 0.4", "'loss': 0.02, 'kl': 0.05, 'grad_norm': 0.5")
    }\n`,
    `GRPO 训练，reward 一直上升，请问正常吗？\n\n${
      log("'loss': 0.01, 'kl': 0.02, 'grad_norm': 0.4", "'loss': 0.02, 'kl': 0.05, 'grad_norm': 0.5")
    }\n`,
  ]],
  gradient_spikes: [[
    "GRPO: after 8k steps the grad_norm begins to spike, and each spike is higher than the last. Why?",
    "GRPO: the grad_norm spikes in the first steps, and each spike is lower than the last. Is it right?",
  ]],
  excessive_clipping: [[
    "PPO: the clip fraction is very high, 0.6. Why?",
    "PPO: the clip fraction is 0.01. Is it right?",
  ]],
  length_inflation: [[
    "GRPO 训练，回复长度一直上升，但是验证集准确率没有提升，请问为什么？",
    "GRPO 训练，回复长度一直上升，验证集准确率也在上升，请问正常吗？",
  ]],
  length_collapse: [[
    "GRPO: the completion length keeps shrinking and the reward does not improve. Why?",
    "GRPO: the completion length keeps shrinking and the reward rises. Is it right?",
  ], [
    "GRPO: the completions get shorter and shorter until nothing is left, and the model collapses. Why?",
    "GRPO: the completions get shorter and shorter until nothing is left. Why?",
  ]],
  reward_hacking: [
    [
      "GRPO: the reward saturates at 1.0 from the start while the held-out score falls. Why?",
      "GRPO: the reward saturates at 1.0 from the start while the held-out score rises. Is it right?",
    ],
    [
      "GRPO: el modelo hace trampa para obtener la recompensa. ¿Qué hago?",
      "GRPO: the model solves the task. What can I do next?",
    ],
    [
      "GRPO: the reward rises but the eval accuracy falls. Why?",
      "GRPO: the reward rises and the eval accuracy rises. Is it right?",
    ],
  ],
};

testPatterns("COURSE_PATTERNS", COURSE_PATTERNS, POSTS);

Deno.test("flat_reward_no_learning is not named of a run whose held-out score rises", async () => {
  const post = "GRPO in TRL. The reward does not move, the KL is 0.02", alarm = "flat_reward_no_learning";
  assert(!(await alarmsOf(`${post}, and the held-out accuracy rises.`)).includes(alarm));
  assert((await alarmsOf(`${post}, and the held-out accuracy does not move either.`)).includes(alarm));
});

Deno.test("one reward that rose and stands still is no imbalance", async () => {
  const post =
    "GRPO: the accuracy reward increases a little, then the accuracy reward is stuck at the same level. Why?";
  assert(!(await alarmsOf(post)).includes("reward_imbalance"));
});

Deno.test("gradient_spikes is named where spikes grow, the loss jumps with them, or nothing is gained beside them", async () => {
  for (
    const harm of ["each spike is higher than the last", "the loss jumps each time", "the reward does not improve"]
  ) assert((await alarmsOf(`GRPO: the grad norm keeps spiking, and ${harm}. Why?`)).includes("gradient_spikes"), harm);
  assert.deepEqual(await alarmsOf("GRPO: the grad norm keeps spiking, and the reward rises. Why?"), []);
});

Deno.test("reward_hacking is named where the reward rises while what is written gets worse", async () => {
  const rises = "PPO: the mean reward keeps climbing, and the quality of the answers";
  assert.deepEqual(await alarmsOf(`${rises} gets worse and worse. Why?`), ["reward_hacking"]);
  assert.deepEqual(await alarmsOf(`${rises} does not get worse. Is it right?`), []);
});
