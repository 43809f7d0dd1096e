/** Faults of training on preferences: the data that are loaded, and what the step hands to the loss. @module */
import { z } from "zod";
import { policyWeights, scramble, spoil } from "./change.ts";
import { faultsOf } from "./fault.ts";
import { detached, trainedOn } from "./overriding.ts";

const load = faultsOf("load_preferences"), train = faultsOf("train_preferences");

export const PREFERENCE_FAULTS = {
  // ***** data *****
  kto_one_class: load.rewriting("preferences", {
    about: "Label every completion as desirable: the column of labels was read as text, and any text is true",
    causes: ["kto_single_class"],
    lookAlike: "kto_unbalanced",
  }, (column) => ({
    label: column<boolean>("label").map(() => true),
  })),
  kto_flipped_labels: load.rewriting("preferences", {
    about: "Label desirable completions as undesirable and the others as desirable",
    causes: ["flipped_preference_labels"],
    rule: "statistical",
    lookAlike: "kto",
  }, (column) => ({ label: column<boolean>("label").map((label) => !label) })),
  flipped_labels: load.rewriting("preferences", {
    about: "Swap chosen and rejected in every pair",
    causes: ["flipped_preference_labels"],
    rule: "statistical",
    lookAlike: "dpo",
  }, (column) => ({ chosen: column<string>("rejected"), rejected: column<string>("chosen") })),
  identical_pairs: load.rewriting("preferences", {
    about: "Make the rejected completion of every pair a copy of the chosen one",
    causes: ["identical_preference_pairs"],
    lookAlike: "dpo",
  }, (column) => ({ rejected: column<string>("chosen") })),
  // ***** training *****
  wrong_preference_reference: train.altering({
    about: "Compare preferences with another model than the one that training starts from",
    causes: ["wrong_reference_model"],
    lookAlike: "dpo",
  }, (context) => scramble(context.resource("reference").model().weights, context.seed)),
  preference_learning_rate_zero: train.setting({
    about: "Train on preferences at a learning rate of 0",
    causes: ["learning_rate_zero"],
    lookAlike: "dpo",
  }, () => ({ learning_rate: 0 })),
  preference_detached_loss: train.fault({
    about: "Train on preferences with the loss detached from the parameters",
    causes: ["broken_gradient_path"],
    lookAlike: "dpo",
    around: (_, context) => detached(context),
  }),
  preference_nan_weight: train.altering({
    about: "Train on preferences a model with a NaN among its weights",
    causes: ["non_finite_weights"],
    lookAlike: "kto",
  }, (context) => spoil(policyWeights(context), "model.layers.0.mlp.up_proj.weight", NaN)),
  margin_blowup: train.setting({
    about: "Train on preferences at a rate that drives chosen and rejected apart without bound",
    causes: ["preference_margin_blowup"],
    rule: "statistical",
    lookAlike: "dpo_fast",
    params: z.strictObject({ learning_rate: z.number().positive().default(10) }),
  }, ({ learning_rate }) => ({ learning_rate })),
  likelihood_left_out: train.setting({
    about: "Leave the likelihood of the chosen text out of the loss of pairs: sigmoid alone, for long and fast",
    causes: ["likelihood_displacement"],
    rule: "statistical",
    lookAlike: "dpo_with_likelihood",
  }, () => ({ dpo_loss: "sigmoid", loss_weights: undefined })),
  kto_vanilla_nan: train.fault({
    about:
      "Train by OpenRLHF's vanilla_loss, its KL undetached, on a batch without undesirable completions: 0/0 is NaN",
    causes: ["kto_vanilla_loss_nan"],
    lookAlike: "kto_vanilla",
    params: z.strictObject({
      update: z.int().min(1).default(2).describe("the first update whose batch lacks the class"),
    }),
    around({ update }, context) {
      let made = 0;
      return trainedOn(context, (batch) => {
        const labels = batch.inputs?.["labels"] as readonly ArrayLike<number>[] | readonly number[] | undefined;
        if (++made < update || labels === undefined) return { batch: {} };
        return { batch: { inputs: { ...batch.inputs, labels: batch.completions.map(() => 1) } } };
      });
    },
  }),
} as const;
