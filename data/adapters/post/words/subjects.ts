/**
 * What people speak of in a report, in their languages: each subject once, with the column of `metrics` that it is. Its words
 * stand in subjects.json, the longer name before the one that it holds. @module
 */
import type { MetricName } from "../../../columns.ts";
import SUBJECT_WORDS from "./subjects.json" with { type: "json" };
import { readWords, type Words } from "./match.ts";

export type SubjectName = keyof typeof SUBJECT_WORDS;

interface Numbers {
  /** The column that numbers said of it are of; null where it has none. */
  readonly column: MetricName | `reward.${string}` | null;
  /** What `nameInfo` knows its numbers by, where that is not the column. */
  readonly name?: string;
}

const NUMBERS: Readonly<Record<SubjectName, Numbers>> = {
  eval_loss: { column: null, name: "eval_loss" },
  evaluation: { column: null, name: "eval_accuracy" },
  value_loss: { column: "value_loss" },
  policy_loss: { column: "policy_loss" },
  labels: { column: null },
  gold: { column: null },
  step_time: { column: null },
  memory: { column: null },
  loss_scale: { column: "loss_scale" },
  loss: { column: "loss" },
  group_reward_std: { column: "group_reward_std" },
  zero_spread: { column: "zero_spread_fraction" },
  format_reward: { column: "reward.format_reward" },
  accuracy_reward: { column: "reward.accuracy_reward" },
  iou_reward: { column: "reward.iou_reward" },
  margin: { column: "reward_margin" },
  chosen: { column: "chosen_reward" },
  rejected: { column: "rejected_reward" },
  preference_accuracy: { column: "preference_accuracy" },
  reward_model: { column: null },
  reward: { column: "reward" },
  accuracy: { column: null, name: "rewards/accuracy" },
  critic_grad_norm: { column: "critic_grad_norm" },
  grad_norm: { column: "grad_norm" },
  kl: { column: "kl" },
  entropy: { column: "entropy" },
  clip_fraction: { column: "clip_fraction" },
  ratio: { column: "ratio_mean" },
  advantage: { column: null },
  learning_rate: { column: "learning_rate" },
  logprobs: { column: null },
  truncation: { column: "truncated_fraction" },
  completion_length: { column: "completion_length" },
  completions: { column: null },
  adapter: { column: null },
  training: { column: null },
  policy: { column: null },
  parameters: { column: null },
};

export type Subject = Words & Numbers;

/** In the order in which they are looked for. */
export const SUBJECTS: Readonly<Record<SubjectName, Subject>> = readWords(SUBJECT_WORDS, NUMBERS);
