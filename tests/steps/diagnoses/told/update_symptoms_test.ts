/** Each symptom of pairs, labels, numbers, weights and machines is seen in a post that tells it, and not in its twin. */
import assert from "node:assert/strict";
import { symptomsOf } from "../../../../steps/diagnoses/told/symptoms.ts";
import { UPDATE_SYMPTOMS } from "../../../../steps/diagnoses/told/update_symptoms.ts";
import { tableView } from "../../../../steps/diagnoses/view/table_view.ts";
import { readFiles } from "../../../data/adapters/read_text.ts";
import { alarmsOf } from "./diagnosed.ts";

const dpo = (loss: number, rate: number, chosen: number) =>
  `DPO, my first record:\n\n{'loss': ${loss}, 'learning_rate': ${rate}, 'rewards/chosen': ${chosen}}\n`;
const rm = (accuracy: number) =>
  `RewardTrainer. At step 600: accuracy ${accuracy}, loss 0.693, grad_norm 1.4. What is wrong?`;

/** A text that shows it, and one that does not. */
const TEXTS: Record<keyof typeof UPDATE_SYMPTOMS, readonly [there: string, absent: string]> = {
  labels_zero: ["SFT: every label is -100.", "SFT: the labels of the prompt are -100, the answer has ids."],
  starts_elsewhere: [dpo(2.1, 1e-8, -4.2), dpo(0.6931, 1e-8, 0.0)],
  gold_opposed: [
    "DPO. On pairs labelled by experts it agrees in 30 of 200.",
    "DPO. On pairs labelled by experts it agrees in 150 of 200.",
  ],
  pairs_learned: ["DPO: rewards/accuracies is 0.91 in training.", "DPO: rewards/accuracies is 0.52 in training."],
  pairs_identical: ["DPO: chosen and rejected are identical.", "DPO: chosen and rejected are different."],
  sides_tie: [
    "RewardTrainer:\n\n{'loss': 0.6931, 'accuracy': 0.0, 'margin': 0.0}\n{'loss': 0.6931, 'accuracy': 0.0, 'margin': 0.0}\n",
    "RewardTrainer:\n\n{'loss': 0.6931, 'accuracy': 0.5, 'margin': 0.0}\n{'loss': 0.6931, 'accuracy': 0.5, 'margin': 0.0}\n",
  ],
  pairs_swapped: [
    "DPO: half of the pairs have chosen and rejected swapped.",
    "DPO: I made sure that chosen and rejected are not swapped.",
  ],
  one_class: [
    "KTO: all my examples are labelled True.",
    "KTO: all my examples are labelled True or False.",
  ],
  margin_zero: ["DPO: rewards/margins is 0.0 on every step.", "DPO: rewards/margins is 0.4 on every step."],
  loss_tiny: ["SFT: the loss is 0.004 at the end.", "SFT: the loss is 0.9 at the end."],
  rate_zero: ["SFT: the learning rate is 0 on every line.", "SFT: the learning rate is 0 on the first line."],
  overflow_at_floor: [
    "I see\n\n[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 1, reducing to 1\n",
    "I see\n\n[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 65536, reducing to 32768\n",
  ],
  overflows: ["The training overflows in fp16.", "The training is stable in fp16."],
  parts_frozen: ["I train with freeze_llm=True and LoRA.", "I train with freeze_llm=False and LoRA."],
  loss_drops_to_zero: [
    "SFT:\n\n{'loss': 1.31, 'epoch': 0.1}\n{'loss': 0.0, 'epoch': 0.2}\n{'loss': 0.0, 'epoch': 0.3}\n",
    "SFT:\n\n{'loss': 1.31, 'epoch': 0.1}\n{'loss': 1.2, 'epoch': 0.2}\n{'loss': 1.1, 'epoch': 0.3}\n",
  ],
  gradient_none: ["LoRA: all gradients are None.", "LoRA: all gradients are 0."],
  wrong_for_nothing: [
    "SFT:\n\n{'loss': 0.0, 'grad_norm': 1.0, 'token_acc': 0.0132}\n",
    "SFT:\n\n{'loss': 0.0, 'grad_norm': 1.0, 'token_acc': 0.9932}\n",
  ],
  eval_not_finite: ["SFT: eval_loss is nan.", "SFT: eval_loss is 1.2."],
  pairs_at_chance: [rm(0.5), rm(0.71)],
  critic_not_finite: [
    "PPO with verl:\n\nstep:1 - critic/vf_loss:nan - critic/grad_norm:nan - actor/grad_norm:1.2 - actor/pg_loss:0.01\n",
    "PPO with verl:\n\nstep:1 - critic/vf_loss:0.3 - critic/grad_norm:2.1 - actor/grad_norm:1.2 - actor/pg_loss:0.01\n",
  ],
  steps_slower: ["SFT went from 3 s/it to 31 s/it.", "SFT went from 3 s/it to 4 s/it."],
  killed: ["After two hours my training was killed by the system.", "After two hours my training was done."],
  memorised: ["The model has memorised the answers.", "The model has learned the answers."],
  other_tasks_fall: [
    "Results:\n\n| model | MMLU | ours |\n|---|---|---|\n| base | 61.0 | 20.0 |\n| after SFT | 38.0 | 71.0 |\n",
    "Results:\n\n| model | MMLU | ours |\n|---|---|---|\n| base | 61.0 | 20.0 |\n| after SFT | 60.4 | 71.0 |\n",
  ],
};

for (const [name, [there, absent]] of Object.entries(TEXTS) as [keyof typeof TEXTS, readonly [string, string]][]) {
  Deno.test(`symptomsOf() sees ${name} where it is told, and not in its twin`, async () => {
    const seen = async (text: string) => symptomsOf(tableView((await readFiles({ "post.md": text })).rows)).has(name);
    assert.equal(await seen(there), true, there);
    assert.equal(await seen(absent), false, absent);
  });
}

Deno.test("pairs are guessed where accuracy and loss are a coin's after hundreds of updates, not after a few", async () => {
  const pairs = (step: number, accuracy: number) =>
    alarmsOf(
      "DPO in TRL. Is that usual?\n\n" +
        [1, step].map((one) => `{"step": ${one}, "loss": 0.693, "rewards/accuracies": ${accuracy}, "grad_norm": 3.1}\n`)
          .join(""),
    );
  assert.deepEqual(await pairs(400, 0.52), ["flipped_preference_labels"]);
  assert.deepEqual(await pairs(20, 0.52), []);
  for (
    const [accuracy, isGuessed] of [[0.549, true], [0.551, false], [0.451, true], [0.449, false], [0.1, false]] as const
  ) {
    assert.equal((await pairs(400, accuracy)).includes("flipped_preference_labels"), isGuessed, String(accuracy));
  }
});
