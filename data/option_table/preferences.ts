/** Options of training on given completions, and their names in other systems. @module */
import type { Option } from "./option.ts";

export const PREFERENCE_OPTIONS = {
  // ***** data *****
  chosen_column: {
    about: "the column of the preferred completion",
    names: { openrlhf: ["data.chosen_key", "chosen_key"] },
  },
  rejected_column: {
    about: "the column of the other completion",
    names: { openrlhf: ["data.rejected_key", "rejected_key"] },
  },
  label_column: { about: "the column that says whether a completion is desirable", names: { openrlhf: ["label_key"] } },
  // ***** loss of pairs *****
  loss_weights: { about: "weight of each DPO loss in a list", names: { trl: ["loss_weights"], "visual-rft": [] } },
  ipo: { about: "IPO in place of DPO, on sums of log-probs", names: { openrlhf: ["model.ipo_enable", "ipo"] } },
  ld_alpha: {
    about: "weight of tokens beyond the pair's shorter completion",
    names: { trl: ["ld_alpha"], llamafactory: ["ld_alpha"], "visual-rft": [] },
  },
  f_divergence: {
    about: "what stands for the log-ratio in a loss of pairs",
    names: { trl: ["f_divergence_type"], "visual-rft": [] },
  },
  f_divergence_alpha: {
    about: "α of the α-divergence",
    names: { trl: ["f_alpha_divergence_coef"], "visual-rft": [] },
  },
  discopop_tau: { about: "temperature of DiscoPOP's gate", names: { trl: ["discopop_tau"], "visual-rft": [] } },
  use_weighting: {
    about: "weigh pairs by their likelihood under the policy (WPO)",
    names: { trl: ["use_weighting"], "visual-rft": [] },
  },
  reference_free: { about: "no reference in the loss", names: { trl: ["reference_free"], "visual-rft": [] } },
  precompute_reference: {
    about: "compute the reference's log-probs once",
    names: { trl: ["precompute_ref_log_probs"], "visual-rft": [] },
  },
  nll_loss_coef: {
    about: "weight of the chosen completion's cross-entropy beside a loss of pairs",
    names: { trl: ["rpo_alpha"], openrlhf: ["model.nll_loss_coef", "nll_loss_coef"], llamafactory: ["pref_ftx"] },
  },
  // ***** fine-tuning *****
  completion_only_loss: {
    about: "only the completion's tokens count",
    here: ["fine_tune.loss_on"],
    names: { trl: ["completion_only_loss"], "visual-rft": [] },
  },
  assistant_only_loss: {
    about: "only the assistant's turns count",
    here: ["fine_tune.loss_on"],
    names: { trl: ["assistant_only_loss"], "visual-rft": [] },
  },
  train_on_prompt: {
    about: "the prompt's tokens count as well",
    here: ["fine_tune.loss_on"],
    names: { llamafactory: ["train_on_prompt"] },
  },
  packing: {
    about: "several rows in one, which do not see each other",
    names: {
      trl: ["packing"],
      openrlhf: ["ds.packing_samples", "packing_samples"],
      "ms-swift": ["packing"],
      llamafactory: ["packing"],
      "visual-rft": ["packing"],
    },
  },
} as const satisfies Record<string, Option>;
