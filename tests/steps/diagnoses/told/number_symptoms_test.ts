/** Each symptom of loss, gradient, KL, entropy and log-probs is seen in a post that tells it, in numbers, and not in its twin. */
import assert from "node:assert/strict";
import { NUMBER_SYMPTOMS } from "../../../../steps/diagnoses/told/number_symptoms.ts";
import { alarmsOf, seen, testSymptoms, type Told } from "./diagnosed.ts";

const log = (...records: readonly string[]) =>
  `Hi, I run GRPO, why is it so?\n\n${records.map((one) => `{${one}, 'reward': 0.4}`).join("\n")}\n`;
/** A record for each value of a metric. */
const of = (name: string, ...values: readonly (number | string)[]) =>
  log(...values.map((value) => `'${name}': ${value}${name === "loss" ? "" : ", 'loss': 0.01"}`));
const evaluated = (...losses: readonly (number | string)[]) =>
  `SFT, why is it so?\n\n${losses.map((loss, i) => `{'eval_loss': ${loss}, 'epoch': ${i + 1}.0}`).join("\n")}\n`;

const POSTS: Record<keyof typeof NUMBER_SYMPTOMS, Told> = {
  loss_zero: {
    claim: "GRPO: the loss is always 0. Why?",
    numbers: of("loss", "0.0", "0.0"),
    absent: of("loss", "0.0", 0.01),
  },
  loss_not_finite: {
    claim: "GRPO 训练第 40 步 loss 变成 nan，请问为什么？",
    numbers: of("loss", 0.1, "nan"),
    absent: of("loss", 0.1, 0.2),
  },
  loss_rises: {
    claim: "GRPO: la perte augmente toujours. Pourquoi ?",
    numbers: of("loss", 0.4, 2.6),
    absent: of("loss", 0.4, 0.6),
  },
  loss_drops: {
    claim: "SFT: the training loss plummets at each epoch. Why?",
    absent: "SFT: the training loss falls slowly. Why?",
  },
  loss_falls: {
    claim: "SFT: the loss falls. Is it enough?",
    numbers: of("loss", 2.0, 0.9),
    absent: of("loss", 2.0, 1.9),
  },
  loss_flat: { claim: "SFT: the loss does not move. Why?", absent: "SFT: the loss moves a lot. Why?" },
  gradient_zero: {
    claim: "GRPO: grad_norm is 0. Why?",
    numbers: of("grad_norm", "0.0", "0.0"),
    absent: of("grad_norm", "0.0", 0.7),
  },
  gradient_not_finite: {
    claim: "GRPO: grad_norm is NaN. Why?",
    numbers: of("grad_norm", 0.7, "nan"),
    absent: of("grad_norm", 0.7, 0.6),
  },
  gradient_large: {
    claim: "GRPO: der Gradient explodiert. Warum?",
    numbers: of("grad_norm", 0.7, 412.0),
    absent: of("grad_norm", 0.7, 2.1),
  },
  kl_zero: {
    claim: "GRPO: the KL is always 0. Why?",
    numbers: of("kl", "0.0", "0.0", "0.0"),
    absent: of("kl", "0.0", "0.0", 0.01),
  },
  kl_not_finite: { claim: "GRPO: KL is nan. Why?", numbers: of("kl", 0.01, "nan"), absent: of("kl", 0.01, 0.02) },
  kl_grows: { claim: "GRPO 训练 KL 爆炸，请问为什么？", numbers: of("kl", 0.01, 3.4), absent: of("kl", 0.01, 0.05) },
  kl_moves: { numbers: of("kl", 0.0005, 0.02), absent: of("kl", 0.0005, 0.0004) },
  masked: {
    numbers: log("'loss': 0.0, 'grad_norm': 0.0, 'entropy': 0.0"),
    absent: log("'loss': 0.0, 'grad_norm': 0.0, 'entropy': 0.4"),
  },
  nan_from_start: { numbers: of("grad_norm", "nan", "nan"), absent: of("grad_norm", 0.5, "nan") },
  kl_negative: { claim: "GRPO: the KL is negative. Why?", absent: "GRPO: the KL is positive. Why?" },
  eval_loss_rises: {
    claim: "SFT: 验证集 loss 上升，请问为什么？",
    numbers: evaluated(1.4, 1.2, 1.9),
    absent: evaluated(1.4, 1.2, 1.25),
  },
  eval_loss_nan: { claim: "SFT: eval_loss is nan. Why?", numbers: evaluated(1.4, "nan"), absent: evaluated(1.4, 1.3) },
  gradient_spikes: {
    claim: "GRPO: grad_norm is spiky. Why?",
    numbers: of("grad_norm", 0.4, 19.0, 0.5, 24.0),
    absent: of("grad_norm", 0.4, 0.9, 0.5, 24.0),
  },
  spikes_grow: {
    claim: "GRPO: grad_norm spikes, and each spike is higher than the last. Why?",
    absent: "GRPO: grad_norm spikes, and each spike is lower than the last. Why?",
  },
  loss_jumps: {
    claim: "SFT: grad_norm spikes and the loss jumps each time. Why?",
    absent: "SFT: grad_norm spikes and the loss falls. Why?",
  },
  spikes_shown: {
    numbers: of("grad_norm", 0.4, 19.0, 0.5, 24.0),
    absent: "GRPO: grad_norm is spiky. Why?",
  },
  clipped: {
    claim: "PPO: the clip fraction keeps rising. Why?",
    numbers: of("clip_fraction", 0.01, 0.41),
    absent: of("clip_fraction", 0.01, 0.05),
  },
  entropy_falls: {
    claim: "GRPO 训练熵一直下降，请问为什么？",
    numbers: of("entropy", 0.9, 0.05),
    absent: of("entropy", 0.9, 0.6),
  },
  entropy_rises: { claim: "GRPO: the entropy explodes. Why?", absent: of("entropy", 0.9, 0.6) },
  entropy_gone: { numbers: of("entropy", 0.01, 0.004), absent: of("entropy", 0.3, 0.004) },
  logprobs_not_finite: { claim: "GRPO: old log-probs are NaN. Why?", absent: "GRPO: old log-probs are low. Why?" },
  critic_still: {
    claim: "PPO: the value loss does not move. Why?",
    absent: "PPO: the policy loss does not move. Why?",
  },
  critic_off: {
    claim: "PPO: der Critic-Loss explodiert. Warum?",
    numbers: of("value_loss", 0.3, 900),
    absent: of("value_loss", 0.3, 0.6),
  },
  critic_nan: { claim: "PPO: the critic loss is NaN. Why?", absent: "PPO: the critic loss is high. Why?" },
  weights_not_finite: { claim: "SFT: веса NaN. Почему?", absent: "SFT: the weights are fine. Why does it stop?" },
  logprobs_differ: {
    claim: "GRPO with vLLM: the log-probs of vLLM differ from the trainer's. Why?",
    numbers: of("sampling/sampling_logp_difference/mean", 0.3, 0.4),
    absent: of("sampling/sampling_logp_difference/mean", 0.01, 0.4),
  },
};

testSymptoms("NUMBER_SYMPTOMS", NUMBER_SYMPTOMS, POSTS);

/** For each symptom with a threshold: numbers on both sides of it. */
const BORDERS: readonly (readonly [keyof typeof NUMBER_SYMPTOMS, seen: string, unseen: string])[] = [
  ["loss_rises", of("loss", 2, 4.1), of("loss", 2, 3.9)],
  ["loss_rises", of("loss", 0.45, 0.96), of("loss", 0.45, 0.94)],
  ["loss_falls", of("loss", 2, 1.39), of("loss", 2, 1.41)],
  ["gradient_large", of("grad_norm", 4, 101), of("grad_norm", 4, 99)],
  ["gradient_large", of("grad_norm", 10, 201), of("grad_norm", 10, 199)],
  ["kl_grows", of("kl", "0.0", 0.21), of("kl", "0.0", 0.19)],
  ["kl_grows", of("kl", 0.001, 0.201), of("kl", 0.001, 0.199)],
  ["kl_grows", of("kl", 0.05, 1.01), of("kl", 0.05, 0.99)],
  ["kl_moves", of("kl", 0.0011), of("kl", 0.0009)],
  ["eval_loss_rises", evaluated(2, 1, 1.16), evaluated(2, 1, 1.14)],
  ["eval_loss_rises", evaluated(0.2, 0.1, 0.121), evaluated(0.2, 0.1, 0.119)],
  ["gradient_spikes", of("grad_norm", 0.5, 5.6, 0.5, 8), of("grad_norm", 0.5, 4.9, 0.5, 8)],
  ["spikes_shown", of("grad_norm", 0.2, 3.6, 0.2, 8), of("grad_norm", 0.2, 2.9, 0.2, 8)],
  ["clipped", of("clip_fraction", 0.01, 0.21), of("clip_fraction", 0.01, 0.19)],
  ["entropy_falls", of("entropy", 1, 0.14), of("entropy", 1, 0.16)],
  ["entropy_gone", of("entropy", 0.019, 0.02), of("entropy", 0.019, 0.021)],
  ["critic_off", of("value_loss", 0.5, 10.1), of("value_loss", 0.5, 9.9)],
  [
    "logprobs_differ",
    of("sampling/sampling_logp_difference/mean", 0.11, 0.2),
    of("sampling/sampling_logp_difference/mean", 0.09, 0.2),
  ],
];

for (const [name, there, absent] of BORDERS) {
  Deno.test(`${name} is seen above its border, and not below: ${there.split("\n").at(-2)}`, async () => {
    assert.deepEqual([(await seen(there)).includes(name), (await seen(absent)).includes(name)], [true, false]);
  });
}

Deno.test("eval_loss_rises has one border, in a sentence as in a table and in records", async () => {
  const sentence = (last: number) => `SFT. The training loss falls. The held-out loss went from 1.00 to ${last}. Why?`;
  const table = (last: number) =>
    `SFT. Why?\n\n| epoch | loss | eval_loss |\n|--|--|--|\n| 1 | 1.2 | 1.00 |\n| 2 | 0.6 | ${last} |\n`;
  for (const post of [sentence, table, (last: number) => evaluated(1, last)]) {
    for (const [last, rises] of [[1.16, true], [1.15, true], [1.14, false]] as const) {
      assert.equal((await seen(post(last))).includes("eval_loss_rises"), rises, post(last));
    }
  }
});

Deno.test("a mean ratio that starts further than a tenth from 1 is a sampler that is not the trainer", async () => {
  const ratio = (value: number) =>
    alarmsOf(
      `GRPO in verl. Why?\n\nstep 1: ratio_mean ${value}, reward 0.2\nstep 2: ratio_mean ${value}, reward 0.2\n`,
    );
  assert((await ratio(1.15)).includes("rollout_trainer_mismatch"));
  assert.deepEqual(await ratio(1.05), []);
});

Deno.test("loss_rises is seen of a loss that fell and is told to have risen beyond where it began", async () => {
  const risen = "Hi, SFT, why? The loss starts at 5, goes down to 4, then rises from step 1700 on to 7.";
  assert((await seen(risen)).includes("loss_rises"));
  for (
    const [from, down, to, rises] of [
      [5, 4, 6.1, true],
      [5, 4, 5.9, false],
      [5, 4, 4.5, false],
      [0.4, 0.3, 0.81, true],
      [0.4, 0.3, 0.79, false],
    ] as const
  ) {
    const post =
      `Hi, SFT, why? The loss starts at ${from}, goes down to ${down}, then rises from step 1700 on to ${to}.`;
    assert.equal((await seen(post)).includes("loss_rises"), rises, post);
  }
});

Deno.test("an entropy of 0 on the first record alone is what Unsloth prints of an entropy that it does not log", async () => {
  const table = (...cells: string[]) =>
    `GRPO with Unsloth.\n\n| Step | Training Loss | reward | entropy |\n| -- | -- | -- | -- |\n${
      cells.map((cell, i) => `| ${i + 1} | 0.2 | ${13 - i} | ${cell} |`).join("\n")
    }\n`;
  assert(!(await seen(table("0", "No Log", "No Log", "No Log"))).includes("entropy_gone"));
  assert((await seen(table("0", "0", "0.001", "0"))).includes("entropy_gone"));
});
