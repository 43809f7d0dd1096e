/** Which symptoms together are a cause of what is sampled. @module */
import { FALLS, isTaught, mayBeReinforcement, type Patterns } from "./pattern.ts";
import { nearGreedy } from "./telling_options.ts";

const NO_SIGNAL = ["gradient_zero", "loss_zero", "reward_zero", "spread_zero", "reward_flat"] as const;

export const TEXT_PATTERNS: Patterns = {
  greedy_sampling: [
    {
      all: [["identical", "spread_zero", "gradient_zero", "loss_zero"]],
      options: nearGreedy,
      message: "Sampling is near-greedy, and the groups show it",
    },
    {
      all: ["identical", ["spread_zero", "gradient_zero", "loss_zero"]],
      none: ["entropy_falls", ...FALLS, "repeats", "garbled", "token_zero"],
      when: mayBeReinforcement,
      message: "The completions of a group are the same text, so that no advantage is left",
      confirm: "print temperature, top_p and top_k in force, and the entropy",
    },
  ],
  garbled_generation: [{
    all: ["garbled_early"],
    none: ["reward_rises", "goal_rises", "loss_not_finite"],
    when: mayBeReinforcement,
    message: "The completions are noise before anything is learned",
    confirm: "sample the same prompts with the plain model outside of the trainer",
  }, {
    all: ["garbled", NO_SIGNAL],
    none: ["token_zero", ...FALLS, "kl_grows", "loss_rises", "reward_rises", "logprobs_not_finite", "loss_not_finite"],
    message: "The completions are noise, and nothing is paid or learned",
    confirm: "print one completion of the first train step",
  }],
  old_logprob_nan: [
    {
      all: ["token_zero", ["kl_not_finite", "logprobs_not_finite", "loss_not_finite", "gradient_not_finite"]],
      when: mayBeReinforcement,
      message: "Log-probs turned NaN and the sampler writes one character over and over",
    },
    {
      all: ["logprobs_not_finite", ["kl_not_finite", "loss_not_finite", "gradient_not_finite"]],
      when: mayBeReinforcement,
      message: "Old log-probs are NaN, and what is computed from them",
    },
    {
      all: ["token_zero"],
      // A policy that has run away from its reference writes so without a NaN.
      none: ["kl_grows"],
      when: mayBeReinforcement,
      message: "The completions are token 0 over and over, what a sampler writes for NaN logits",
      confirm: "print kl, entropy and grad_norm of the first such step",
    },
  ],
  repeated_token_degeneration: [
    {
      all: ["repeats"],
      none: ["token_zero", "identical"],
      when: isTaught,
      hint:
        "Keep the end of each answer among its labels, generate with the template of training, train for fewer epochs.",
      message: "The trained model repeats one phrase without end",
    },
    { all: ["repeats"], none: ["token_zero", "identical"], message: "The completions repeat one phrase without end" },
  ],
  mode_collapse: [
    {
      all: ["same_everywhere"],
      none: ["token_zero", "pairs_identical"],
      message: "Every prompt gets the same completion",
    },
  ],
  truncated_completions: [
    {
      all: ["truncated", ["reward_zero", "spread_zero", "gradient_zero", "loss_zero", "reward_flat", "reward_falls"]],
      none: ["token_zero", "loss_not_finite", "kl_not_finite", "kl_grows", "reward_rises"],
      when: mayBeReinforcement,
      message: "Completions are cut at the length cap before they answer",
    },
  ],
};
