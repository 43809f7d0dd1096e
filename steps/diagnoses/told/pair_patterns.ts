/** Which symptoms together are a cause of pairs, of what is overfitted, of the update and the machine. @module */
import { isPreference } from "../view/groups.ts";
import { DISPLACES, type Patterns } from "./pattern.ts";
import { vanillaLoss, zeroBeta } from "./telling_options.ts";

export const PAIR_PATTERNS: Patterns = {
  likelihood_displacement: [
    {
      all: ["chosen_falls", ["rejected_falls", "margin_rises"], DISPLACES],
      none: ["goal_rises", "readable"],
      when: isPreference,
      message: "Chosen and rejected both fall while the margin grows",
    },
  ],
  preference_margin_blowup: [
    { all: ["pairs_perfect"], when: isPreference, message: "The margin runs away" },
    {
      all: ["margin_rises", ["repeats", "garbled", "same_everywhere"]],
      when: isPreference,
      message: "The margin grows while the text breaks",
    },
    {
      all: [["loss_zero", "loss_tiny"], "pairs_learned", ["goal_flat", "goal_falls"]],
      none: ["goal_rises", "loss_not_finite", "gradient_not_finite"],
      when: isPreference,
      message: "The loss is next to 0 and the pairs are told apart, and nothing else gets better",
    },
  ],
  overfitting: [
    {
      all: ["eval_loss_rises", ["loss_falls", "loss_drops"]],
      message: "The training loss falls and the held-out loss rises",
    },
  ],
  invalid_config_value: [
    {
      all: [["loss_flat", "loss_zero", "gradient_zero", "reward_zero"]],
      options: zeroBeta,
      when: isPreference,
      message: "beta is 0: the loss has no gradient",
    },
  ],
  kto_vanilla_loss_nan: [{
    all: [["loss_not_finite", "gradient_not_finite"]],
    options: vanillaLoss,
    message: "The loss is NaN with a mean over a class that a batch may lack",
    confirm: "the first record that is NaN, with the counts of both classes in its batch",
  }],
  broken_gradient_path: [
    {
      all: ["gradient_zero", ["adapter_unchanged", "kl_zero", "policy_still"]],
      none: ["spread_zero", "identical", "no_parameters", "reward_zero"],
      message: "No gradient arrives, and the weights stay as they were",
    },
  ],
  resource_stall: [{
    all: ["hangs"],
    none: ["loss_not_finite", "gradient_not_finite", "weights_not_finite"],
    message: "The run hangs",
  }],
};
