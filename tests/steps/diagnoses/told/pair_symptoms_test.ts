/** Each symptom of pairs, weights and the machine is seen in a post that tells it, in numbers that show it, and not in its twin. */
import { PAIR_SYMPTOMS } from "../../../../steps/diagnoses/told/pair_symptoms.ts";
import { testSymptoms, type Told } from "./diagnosed.ts";

const log = (...records: readonly string[]) => `DPO, why is it so?\n\n${records.map((one) => `{${one}}`).join("\n")}\n`;

const POSTS: Record<keyof typeof PAIR_SYMPTOMS, Told> = {
  chosen_falls: {
    claim: "I train with DPO. rewards/chosen keeps falling. Why?",
    numbers: log("'rewards/chosen': -0.1, 'loss': 0.68", "'rewards/chosen': -2.4, 'loss': 0.51"),
    absent: log("'rewards/chosen': -0.1, 'loss': 0.68", "'rewards/chosen': -0.4, 'loss': 0.51"),
  },
  chosen_lost: {
    claim: "I train with DPO. rewards/chosen collapses. Why?",
    numbers: log("'logps/chosen': -250.0, 'loss': 0.68", "'logps/chosen': -330.0, 'loss': 0.51"),
    absent: "I train with DPO. logps/chosen keeps falling: -284 → -290. Why?",
  },
  rejected_falls: {
    claim: "DPO 训练，rewards/rejected 一直下降，请问正常吗？",
    numbers: log("'logps/rejected': -120.0, 'loss': 0.68", "'logps/rejected': -190.0, 'loss': 0.51"),
    absent: log("'logps/rejected': -120.0, 'loss': 0.68", "'logps/rejected': -126.0, 'loss': 0.51"),
  },
  pairs_perfect: {
    numbers: log(
      "'rewards/accuracies': 0.98, 'rewards/margins': 14.0, 'loss': 0.01",
      "'rewards/accuracies': 1.0, 'rewards/margins': 33.0, 'loss': 0.0001",
    ),
    absent: log(
      "'rewards/accuracies': 0.81, 'rewards/margins': 14.0, 'loss': 0.2",
      "'rewards/accuracies': 0.84, 'rewards/margins': 33.0, 'loss': 0.2",
    ),
  },
  margin_rises: {
    claim: "Mit DPO steigt rewards/margins immer weiter. Warum?",
    numbers: log("'rewards/margins': 0.1, 'loss': 0.68", "'rewards/margins': 4.2, 'loss': 0.2"),
    absent: log("'rewards/margins': 0.1, 'loss': 0.68", "'rewards/margins': 0.6, 'loss': 0.6"),
  },
  no_parameters: {
    numbers: "I train with LoRA. There are 0 trainable parameters. Why?",
    absent:
      "用 LoRA 微调，训练正常，导出的日志里写的却是 trainable params: 0，请问为什么？ I train with LoRA. There are 41,943,040 trainable parameters. Is this right?",
  },
  adapter_unchanged: {
    claim: "LoRA 训练完，保存的 adapter 权重完全一样，没有任何变化，请问为什么？",
    numbers: "I train with LoRA. The saved adapter file is empty, why?",
    absent:
      "I train with LoRA. The adapter has changed in every layer; with zero3 the saved adapter file is empty. Is this right?",
  },
  hangs: {
    claim: "My GRPO training hangs at step 40 and nothing is printed. Why?",
    absent: "My GRPO training ends at step 40 and prints a report. Is this right?",
  },
};

testSymptoms("PAIR_SYMPTOMS", PAIR_SYMPTOMS, POSTS);
