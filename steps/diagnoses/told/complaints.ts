/**
 * What a run is called that people complain of in so many words, where no rule and no pattern says why: "the loss turns NaN
 * after step 40". The cause is the mildest name that is true of what they say; what is behind it stays open.
 *
 * A bare cry names nothing: it must be said of a time, over and over, of more than one metric, or beside what was run. @module
 */
import type { SubjectName } from "../../../data/adapters/post/words/subjects.ts";
import type { Found } from "../diagnosis.ts";
import type { Cause } from "../mod.ts";
import { isPreference, isReinforcement } from "../view/groups.ts";
import { isNumber } from "../view/numbers.ts";
import type { RunView } from "../view/run_view.ts";
import type { SaidOf } from "../view/said_of.ts";
import { beginsLater, claimed, claimEvidence, type Saying } from "./claimed.ts";
import { isFirm } from "./firm.ts";
import { FALLS, mayBeReinforcement } from "./pattern.ts";
import { each, GOALS } from "./symptom.ts";
import { hasNumbers, type SymptomName, symptomsOf } from "./symptoms.ts";
import { isAnsweredFine, isToldInFewWords } from "./told_finding.ts";

interface Complaint {
  readonly cause: Cause;
  readonly says: readonly Saying[];
  /** Of all that is said only what is so. */
  readonly only?: (claim: SaidOf) => boolean;
  readonly none?: readonly SymptomName[];
  readonly when?: (view: RunView, said: readonly SaidOf[]) => boolean;
  readonly message: string;
  readonly confirm: string;
  /** What looks the same as long as nothing else is told. */
  readonly alike: readonly Cause[];
}

/** Of what NaN is said; "the model outputs nan from step 152 on" is said of all of it. */
const NOT_FINITE = [
  "loss",
  "policy_loss",
  "grad_norm",
  "logprobs",
  "parameters",
  "training",
  "policy",
  "completions",
] as const;
const EXPLAINED = ["reward_not_finite", "labels_zero", "critic_not_finite"] as const;
const AROUND = "print the records around its first train step, with grad_norm, and say which precision computes";
const PROBABILITIES = /probability tensor contains/i;
const afterwards = (_: RunView, said: readonly SaidOf[]) => said.some(beginsLater);

/** What is computed from log-probs, beside something else that follows from it. */
const OF_SAMPLING: ReadonlySet<string> = new Set<SubjectName>(["kl", "entropy", "logprobs"]);
const OF_LOSS: ReadonlySet<string> = new Set<SubjectName>(["loss", "policy_loss", "training"]);
const isOfSampling = (said: readonly SaidOf[]) =>
  said.some(({ subject }) => OF_SAMPLING.has(subject)) && new Set(said.map(({ subject }) => subject)).size > 1;

/** In the order in which they are tried. */
export const COMPLAINTS: readonly Complaint[] = [
  {
    cause: "old_logprob_nan",
    says: each([...NOT_FINITE, "kl", "entropy"], ["not_finite"]),
    none: [...EXPLAINED, "nan_from_start"],
    // A loss alone that turns NaN in mid-run says nothing of where it comes from.
    when: (view, said) =>
      isReinforcement(view) &&
      (afterwards(view, said.filter(({ subject }) => !OF_LOSS.has(subject))) ||
        view.messages.some(({ text }) => PROBABILITIES.test(text)) || isOfSampling(said)),
    message: "Numbers turn NaN in a run that was finite",
    confirm: AROUND,
    alike: ["non_finite_weights", "fp16_overflow"],
  },
  {
    cause: "nan_loss",
    says: each(["loss", "policy_loss", "training", "policy", "completions"], ["not_finite"]),
    none: [...EXPLAINED, "gradient_not_finite", "weights_not_finite", "logprobs_not_finite"],
    // Three unlike causes look the same (CAUSES: kto_*).
    when: ({ algorithm }) => algorithm !== "kto",
    message: "The loss is NaN",
    confirm: AROUND,
    alike: ["non_finite_weights", "fp16_overflow", "learning_rate_too_high"],
  },
  {
    cause: "non_finite_weights",
    says: each(NOT_FINITE, ["not_finite"]),
    none: [...EXPLAINED, "loss_falls"],
    when: ({ algorithm }) => algorithm !== "kto",
    message: "Loss or gradient are not finite",
    confirm: AROUND,
    alike: ["fp16_overflow", "learning_rate_too_high", "nan_loss"],
  },
  {
    cause: "no_supervised_tokens",
    says: ["eval_loss.not_finite"],
    only: ({ from }) => from === 1,
    none: EXPLAINED,
    when: (view) => !isReinforcement(view),
    message: "The held-out loss is NaN before anything is learned: no token of those rows counts",
    confirm: "count the label tokens of ten held-out rows, after the chat template and the cut",
    alike: ["nan_loss"],
  },
  {
    cause: "negative_kl_estimate",
    says: ["kl.negative"],
    only: ({ throughout }) => throughout,
    when: mayBeReinforcement,
    message: "The KL to the reference is negative all along, which no KL is",
    confirm: "compare the sampler's log-probs with the trainer's on one batch, before the first update",
    alike: ["rollout_trainer_mismatch", "wrong_reference_model"],
  },
  {
    cause: "entropy_collapse",
    says: ["entropy.collapses"],
    none: ["reward_rises", "goal_rises"],
    when: mayBeReinforcement,
    message: "The entropy collapses",
    confirm: "print entropy and completions of the same prompts before and after",
    alike: ["mode_collapse", "learning_rate_too_high"],
  },
  {
    cause: "kl_explosion",
    says: ["kl.explodes"],
    none: ["goal_rises"],
    when: mayBeReinforcement,
    message: "The KL to the reference explodes",
    confirm: "print KL, reward and ratio of the first train steps",
    alike: ["learning_rate_too_high", "reward_collapse"],
  },
  {
    cause: "reward_collapse",
    says: each(GOALS, ["falls", "collapses", "worsens"]),
    none: ["reward_rises", "goal_rises", "reward_not_finite"],
    when: (view, said) => isReinforcement(view) && afterwards(view, said),
    message: "The reward falls, all of a sudden or from a train step on",
    confirm: "print KL, entropy and completions before and after the fall",
    alike: ["kl_explosion", "entropy_collapse", "learning_rate_too_high"],
  },
  {
    cause: "reward_collapse",
    says: each(["training", "policy"], ["collapses", "explodes"]),
    none: [
      "logprobs_differ",
      "reward_rises",
      "goal_rises",
      "reward_flat",
      "loss_not_finite",
      "gradient_not_finite",
      "loss_zero",
    ],
    when: isReinforcement,
    message: "Training collapses",
    confirm: "print reward, KL, entropy and completions before and after",
    alike: ["kl_explosion", "entropy_collapse", "learning_rate_too_high"],
  },
  {
    cause: "training_divergence",
    says: each(["training", "policy"], ["collapses", "explodes"]),
    none: ["loss_not_finite", "gradient_not_finite", "loss_zero", "loss_falls"],
    when: (view) => view.algorithm === "sft" || isPreference(view),
    message: "Training collapses",
    confirm: "print loss, grad_norm and learning rate before and after",
    alike: ["learning_rate_too_high", "non_finite_weights"],
  },
  {
    cause: "garbled_generation",
    says: each(["completions", "policy", "training"], ["garbled"]),
    none: ["token_zero", "reward_falls", "goal_falls", "loss_not_finite", "gradient_not_finite", "kl_grows", "repeats"],
    message: "The completions are noise",
    confirm: "print one completion of the first train step, and sample the same prompts with the plain model",
    alike: ["repeated_token_degeneration", "rollout_trainer_mismatch"],
  },
  {
    cause: "zero_reward_variance",
    says: ["loss.zero", "policy_loss.zero", "grad_norm.zero"],
    none: ["identical", "truncated", "entropy_falls", "loss_not_finite", "gradient_not_finite"],
    when: (view) =>
      isReinforcement(view) && isAnswered(view, ["group_reward_std.zero", "advantage.zero", "zero_spread.high"]),
    message: "Loss or gradient are 0, and an answer says that the rewards of a group are equal",
    confirm: "print the reward, its spread within groups, and the completions of one group",
    alike: ["all_incorrect_reward_floor", "all_correct_saturated"],
  },
  {
    cause: "overfitting",
    says: each(["eval_loss"], ["rises", "explodes", "worsens"]),
    none: ["loss_rises", "goal_rises", "loss_not_finite", "gradient_not_finite"],
    // It is not said to fall again.
    when: (view) => view.algorithm === "sft" && symptomsOf(view).has("eval_loss_rises"),
    message: "The held-out loss rises",
    confirm: "print the training loss beside the held-out one, epoch by epoch",
    alike: ["training_divergence", "learning_rate_too_high"],
  },
  {
    cause: "all_incorrect_reward_floor",
    says: ["reward.constant", "reward.negative"],
    only: ({ throughout, value }) => throughout && value !== null && value < 0,
    none: ["reward_rises", "goal_rises", "spread_there", "truncated"],
    when: isReinforcement,
    message: "The reward is one penalty on every train step",
    confirm: "read ten completions beside their gold answers and rewards",
    alike: ["reward_parser_mismatch", "constant_reward", "truncated_completions"],
  },
  {
    cause: "all_correct_saturated",
    says: each(["accuracy_reward"], ["constant", "high"]),
    only: ({ throughout, value }) => throughout && value === 1,
    none: [...FALLS, "spread_there", "goal_rises"],
    when: isReinforcement,
    message: "Every answer is paid in full: nothing is left to learn",
    confirm: "read ten completions beside their gold answers",
    alike: ["constant_reward", "reward_hacking"],
  },
  {
    cause: "format_reward_never_fires",
    says: ["format_reward.zero"],
    none: ["truncated", "loss_not_finite", ...FALLS],
    when: (view) => isReinforcement(view) && claimed(view, ["format_reward.rises"]).length === 0,
    message: "No completion earns the format's reward",
    confirm: "print one completion beside the pattern that it is matched with",
    alike: ["reward_parser_mismatch", "truncated_completions"],
  },
];

/** What an answer says, to which the author's numbers fit. */
const isAnswered = (view: RunView, says: readonly Saying[]) =>
  view.claims.some(({ counts, elsewhere, subject, predicate }) =>
    !counts && !elsewhere && says.includes(`${subject}.${predicate}` as Saying)
  );

/** The cause that a run is called after a complaint; null where nobody complains, or too little is told. */
export function complaintFinding(
  view: RunView,
): { readonly cause: Cause; readonly result: Found; readonly alike: readonly Cause[] } | null {
  if (!isToldInFewWords(view) || isAnsweredFine(view)) return null;
  const symptoms = symptomsOf(view);
  for (const { cause, says, only, none = [], when, message, confirm, alike } of COMPLAINTS) {
    const said = claimed(view, says).filter((claim) => (only?.(claim) ?? true) && !hasNumbers(claim, view));
    if (said.length === 0 || none.some((name) => symptoms.has(name)) || when?.(view, said) === false) continue;
    if (!isFirm(view, said)) continue;
    const steps = said.flatMap(({ from }) => from ?? []).filter(isNumber);
    return {
      cause,
      alike,
      result: {
        trainSteps: [...new Set(steps)].sort((a, b) => a - b),
        message: `${message}, as it is told`,
        evidence: said.slice(0, 3).map(claimEvidence),
        confirm,
      },
    };
  }
  return null;
}
