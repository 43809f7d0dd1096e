/** Each symptom of what is sampled is seen in a post that tells it, in texts that show it, and not in its twin. */
import assert from "node:assert/strict";
import { TEXT_SYMPTOMS } from "../../../../steps/diagnoses/told/text_symptoms.ts";
import { alarmsOf, testSymptoms, type Told } from "./diagnosed.ts";

const HEAD = "Hi, I run GRPO, why is it so?\n\n";
const log = (...records: readonly string[]) => `${HEAD}${records.map((one) => `{${one}}`).join("\n")}\n`;
const printed = (text: string) =>
  `${HEAD}A completion:\n\n\`\`\`\nPrompt: What is 3 + 4?\nCompletion: ${text}\n\`\`\`\n`;
const SOUND = "The sum of three and four is seven, so the answer is 7.";

const POSTS: Record<keyof typeof TEXT_SYMPTOMS, Told> = {
  length_grows: {
    claim: "GRPO 训练时回复长度一直上升，请问为什么？",
    numbers: log("'completion_length': 180, 'loss': 0.1", "'completion_length': 640, 'loss': 0.1"),
    absent: log("'completion_length': 180, 'loss': 0.1", "'completion_length': 210, 'loss': 0.1"),
  },
  length_shrinks: {
    claim: "I run GRPO. The completion length keeps shrinking. Why?",
    numbers: log("'completion_length': 400, 'loss': 0.1", "'completion_length': 12, 'loss': 0.1"),
    absent: log("'completion_length': 400, 'loss': 0.1", "'completion_length': 320, 'loss': 0.1"),
  },
  truncated: {
    claim: "I run GRPO. All completions are cut off. Why?",
    numbers: log("'completions/clipped_ratio': 0.97, 'loss': 0.1", "'completions/clipped_ratio': 1.0, 'loss': 0.1"),
    absent: log("'completions/clipped_ratio': 0.1, 'loss': 0.1", "'completions/clipped_ratio': 1.0, 'loss': 0.1"),
  },
  identical: {
    claim: "GRPO: all completions of a group are identical. Why?",
    absent: "GRPO: all completions of a group are different. Is this right?",
  },
  policy_still: {
    claim: "I run GRPO and the model does not change at all. Why?",
    absent: "I run GRPO and the model changes a little. Is this right?",
  },
  same_everywhere: {
    claim: "I run GRPO. The model gives the same answer for every prompt. Why?",
    absent: "I run GRPO. The model gives another answer for every prompt. Is this right?",
  },
  texts_worsen: {
    claim: "PPO: the quality of what the model writes is getting worse and worse. Why?",
    numbers: "PPO: the output quality is going down. Why?",
    absent: "PPO: the outputs are getting shorter and fewer. Is this right?",
  },
  garbled: {
    claim: "GRPO 训练之后模型输出全是乱码，请问为什么？",
    numbers: printed("a7$Q x#9Zz 的k{!2 п0ю=~ qW3ж; 5%рT& 8k的]Xq"),
    absent: printed(SOUND),
  },
  garbled_early: {
    numbers: "I run GRPO. The outputs are gibberish from the start. Why?",
    absent: "I run GRPO. The outputs are gibberish after step 300. Why?",
  },
  token_zero: {
    claim: "J'utilise GRPO. Les réponses ne sont que des points d'exclamation. Pourquoi ?",
    numbers: printed("!".repeat(60)),
    absent: printed(SOUND),
  },
  repeats: {
    claim: "Ich trainiere mit GRPO. Das Modell schreibt in einer Endlosschleife, es wiederholt sich. Warum?",
    numbers: printed(`So the answer is seven${", and the answer is seven".repeat(12)}`),
    absent: printed(SOUND),
  },
  worse: {
    claim: "I run DPO. The answers got worse. Why?",
    absent: "I run DPO. The answers got longer. Why?",
  },
  empty: {
    claim: "I run GRPO. The completions are empty. Why?",
    absent: "I run GRPO. The completions are short. Is this right?",
  },
  readable: {
    claim: "GRPO: the completions are readable. Why is the reward low?",
    absent: "GRPO: the completions are long. Why is the reward low?",
  },
  answers_right: {
    claim: "I run GRPO. The completions are correct. Why are they not paid?",
    numbers:
      'I run GRPO. Why is it not paid?\n\nCompletion: "12 + 30 = 42. The answer is \\boxed{42}."\nGround truth: "42"\n',
    absent:
      'I run GRPO. Why is it not paid?\n\nCompletion: "12 + 31 = 43. The answer is \\boxed{43}."\nGround truth: "42"\n',
  },
  cheats: {
    claim: "I run GRPO. The model hacks the reward. What can I do?",
    absent: "I run GRPO. The model solves the task. What can I do next?",
  },
};

testSymptoms("TEXT_SYMPTOMS", TEXT_SYMPTOMS, POSTS);

for (
  const [text, isCut] of [
    ["GRPO. 90 % of completions hit the 1024 limit and the reward is 0 at every step.", true],
    ["GRPO: average completion length is 511 of a maximum of 512, reward 0 on all steps.", true],
    ["GRPO：平均长度 1023，上限 1024，reward 从头到尾都是 0。", true],
    ["GRPO 学習です。回答の 95 % が上限の 512 トークンに達し、報酬はずっと 0 です。", true],
    ["GRPO: 응답의 97%가 한도인 1024 토큰에 걸립니다. 보상은 계속 0입니다.", true],
    ["GRPO : presque toutes les réponses sont coupées à 512 tokens, récompense toujours à 0.", true],
    ["GRPO: only 4 % of completions hit the 1024 limit, the reward is 0 at every step.", false],
    ["GRPO: mean length 412 with a limit of 2048 tokens, the reward is 0 at every step.", false],
  ] as const
) {
  Deno.test(`completions that reach their cap are ${isCut ? "" : "not "}told: "${text}"`, async () => {
    assert.equal((await alarmsOf(text)).includes("truncated_completions"), isCut);
  });
}
