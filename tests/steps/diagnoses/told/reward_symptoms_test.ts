/** Each symptom of rewards and held-out scores is seen in a post that tells it, in numbers that show it, and not in its twin. */
import assert from "node:assert/strict";
import { REWARD_SYMPTOMS } from "../../../../steps/diagnoses/told/reward_symptoms.ts";
import { seen, testSymptoms, type Told } from "./diagnosed.ts";

const HEAD = "Hi, I run GRPO, why is it so?\n\n";
/** A record for each value of a metric. */
const of = (name: string, ...values: readonly (number | string)[]) =>
  `${HEAD}${values.map((value) => `{'loss': 0.01, '${name}': ${value}}`).join("\n")}\n`;
/** Records of a reward that stands still, at some train steps. */
const steps = (...at: readonly number[]) =>
  `${HEAD}${at.map((step) => `{'step': ${step}, 'loss': 0.01, 'reward': 0.13}`).join("\n")}\n`;
const table = (...scores: readonly number[]) =>
  `${HEAD}| step | eval accuracy |\n|---|---|\n${scores.map((score, i) => `| ${100 * i} | ${score} |`).join("\n")}\n`;
const code = (line: string) =>
  `${HEAD}My reward function:\n\n\`\`\`python\ndef reward_func(completions, **kwargs):\n    ${line}\n\`\`\`\n`;

const POSTS: Record<keyof typeof REWARD_SYMPTOMS, Told> = {
  spread_there: { numbers: of("frac_reward_zero_std", 0.2, 0.3), absent: of("frac_reward_zero_std", 0.2, 0.9) },
  reward_between: { numbers: of("reward", 0.4, 0.5), absent: of("reward", 0.4, 1.0) },
  reward_code_constant: {
    numbers: code("return [1.0 for _ in completions]"),
    absent: code("return [float(len(c) > 3) for c in completions]"),
  },
  reward_zero: {
    claim: "I run GRPO. The reward is always 0. Why?",
    numbers: "I run GRPO. The reward is always -1. Why?",
    absent: of("reward", "0.0", "0.0", 0.1),
  },
  reward_flat: {
    claim: "GRPO 训练，reward 一直不涨，请问为什么？",
    numbers: of("reward", 0.4, 0.41, 0.4),
    // Within a tenth of its level, and yet risen.
    absent: of("reward", 0.646, 0.695, 0.708),
  },
  flat_for_long: {
    numbers: steps(10, 20, 30, 1250),
    absent: steps(10, 20, 30, 40),
  },
  reward_top: {
    numbers: "I run GRPO. The accuracy reward is 1.0 on every step from the start. Why?",
    absent: "I run GRPO. The accuracy reward reaches its maximum of 1.0 after 300 steps. Is it right?",
  },
  reward_falls: {
    claim: "I run GRPO. The reward keeps falling. Why?",
    numbers: of("reward", 0.6, 0.8, 0.1),
    absent: of("reward", 0.6, 0.8, 0.7),
  },
  reward_collapses: {
    claim: "Ich trainiere mit GRPO. Der Reward bricht ein. Warum?",
    numbers: "I run GRPO. The reward falls from step 200 on. Why?",
    absent: "I run GRPO. The reward falls a little. Why?",
  },
  reward_rises: {
    claim: "GRPO: la récompense augmente. Pourquoi si vite ?",
    numbers: of("reward", 0.2, 0.6),
    absent: of("reward", 0.2, 0.21),
  },
  format_learned: {
    claim: "I run GRPO. The format reward keeps rising. Why?",
    numbers: of("rewards/format_reward", 0.1, 0.4, 0.9),
    absent: of("rewards/format_reward", 0.1, 0.1, 0.1),
  },
  answers_unpaid: {
    claim: "I run GRPO. The accuracy reward is nearly zero. Why?",
    absent: "I run GRPO. The accuracy reward is 0.4. Why?",
  },
  groups_filtered: {
    numbers:
      `${HEAD}\`\`\`\nValueError: num_gen_batches=10 > max_num_gen_batches=10. Generated too many. Please check your data.\n\`\`\`\n`,
    absent: `${HEAD}\`\`\`\nnum_gen_batches=2. Keep generating...\n\`\`\`\n`,
  },
  reward_not_finite: {
    claim: "I run GRPO. The reward is NaN. Why?",
    numbers: of("reward", 0.2, "nan"),
    absent: of("reward", 0.2, 0.3),
  },
  spread_zero: {
    claim: "I run GRPO. The reward std is zero. Why?",
    numbers: of("frac_reward_zero_std", 0.9, 1.0),
    absent: of("frac_reward_zero_std", 0.4, 1.0),
  },
  goal_falls: {
    claim: "GRPO 训练后，验证集准确率下降了，请问为什么？",
    numbers: table(0.6, 0.5, 0.4),
    absent: table(0.6, 0.61, 0.6),
  },
  goal_flat: {
    claim: "I run GRPO. The eval accuracy does not improve. Why?",
    numbers: table(0.5, 0.5, 0.51),
    absent: table(0.5, 0.6, 0.7),
  },
  goal_rises: {
    claim: "I run GRPO. The eval accuracy rises. Is it enough?",
    numbers: table(0.3, 0.5),
    absent: table(0.3, 0.31),
  },
  goal_at_floor: {
    claim: "I run GRPO. The accuracy reward is always 0. Why?",
    numbers: of("rewards/accuracy_reward", 0.0, 0.01, 0.0),
    absent: of("rewards/accuracy_reward", 0.0, 0.2, 0.3),
  },
};

testSymptoms("REWARD_SYMPTOMS", REWARD_SYMPTOMS, POSTS);

Deno.test("groups tie from the second of four records on, and not where they differ for long or are few", async () => {
  const row = (std: number, i: number) => `| ${100 * i} | 0.2 | ${std} | ${std} |`;
  const post = (...stds: number[]) =>
    `${HEAD}| step | reward | group_reward_std | grad_norm |\n|---|---|---|---|\n${stds.map(row).join("\n")}\n`;
  assert.ok((await seen(post(0.01, 0, 0, 0))).includes("spread_zero"));
  for (const stds of [[0.01, 0, 0], [0.2, 0, 0, 0], [0.01, 0.01, 0, 0]]) {
    assert.ok(!(await seen(post(...stds))).includes("spread_zero"), stds.join());
  }
});

Deno.test("a reward for the form that falls is no reward that falls: the sum and the answers say that", async () => {
  const beside = (part: string) => seen(of(`reward': 0.6, 'rewards/${part}/mean`, 0.9, 0.5, 0.2));
  for (const form of ["format", "xmlcount", "tag_count"]) {
    assert(!(await beside(form)).includes("reward_falls"), form);
  }
  assert((await beside("accuracy")).includes("reward_falls"));
});

Deno.test("reward_flat takes two numbers of no time for no level, and after hundreds of train steps for one", async () => {
  const isSeen = async (text: string) => (await seen(text)).includes("reward_flat");
  assert.equal(await isSeen(`${HEAD}The reward went from 0.31 to 0.33, the KL from 0 to 0.012.`), false);
  assert.equal(await isSeen(`${HEAD}The reward went from 0.31 to 0.33 in 400 steps, the KL from 0 to 0.012.`), true);
});

Deno.test("reward_collapses is seen of two numbers that are told with their train steps, in words for a peak", async () => {
  for (
    const text of [
      "The reward peaked at 0.6 around step 300 and fell to 0.1 by step 500.",
      "A recompensa atingiu 0,7 no passo 400 e depois caiu para 0,12 no passo 600.",
      "보상이 200스텝에서 0.5로 최고였다가 350스텝에는 0.05까지 떨어졌어요.",
      "La récompense culmine à 0,55 vers le pas 250 puis retombe à 0,08 au pas 400.",
    ]
  ) assert((await seen(`${HEAD}${text}`)).includes("reward_collapses"), text);
  assert(
    !(await seen(`${HEAD}The reward peaked at 0.6 around step 300 and is at 0.55 by step 500.`)).includes(
      "reward_collapses",
    ),
  );
});
