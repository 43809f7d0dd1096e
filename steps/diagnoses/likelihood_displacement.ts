/** Cause `likelihood_displacement`: the margin grows while the chosen texts themselves become unlikely. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import type { Patch } from "./remedies/patch.ts";
import { deviation, ends, finiteOf, mean, median, recordsOf, show, TREND_VALUES, written } from "./view/numbers.ts";
import { isPreference } from "./view/groups.ts";
import { setting } from "./view/settings.ts";

/** Nats that the chosen texts lose, and times as many nats as at the start: a healthy run loses a little. */
const FELL = 4, TIMES = 2;
const START = 3; // Records whose median is where the chosen texts start.
const FEW_PAIRS = 0.05; // Share of the held-out pairs that chance turns.
const SURE = 2; // Standard errors that the fall must have: batches hold texts of different lengths.

/** What mends the loss sigmoid in a run of ours: weights of workflows/library/dpo.yaml. */
const WITH_LIKELIHOOD: readonly Patch[] = [
  { step: "train_preferences", key: "dpo_loss", set: ["sigmoid", "sft"] },
  { step: "train_preferences", key: "loss_weights", set: [1, 0.3] },
];

export default defineDiagnosis({
  codes: ["P03"],
  severity: "warning",
  about:
    "The chosen texts lose their likelihood along with the rejected ones: the margin grows and the policy unlearns what is preferred.",
  reads: ["chosen_logprob", "rejected_logprob", "reward_margin", "chosen_reward", "settings.loss"],
  decision:
    written`Over at least ${TREND_VALUES} records the log-probability of the chosen texts falls by more than ${FELL} nats, by ${SURE} standard errors and to more than ${TIMES} times as many nats as in the first ${START} records, while the margin has grown above 0 and the reward of the chosen texts, where it is printed, is below 0. The loss apo_down lowers them on purpose.`,
  spoils: true,
  hint:
    "Add the likelihood of the chosen texts to the loss (dpo_loss: [sigmoid, sft]), or start again, or from a checkpoint before, with a larger beta or a smaller learning rate.",
  remedy: [
    { step: "train_preferences", key: "learning_rate", mul: 0.3, usual: true, min: 1e-9 },
    { step: "train_preferences", key: "beta", mul: 2, max: 1 },
  ],
  lookAlikes: {
    healthy: "a healthy run loses a little of the chosen texts' likelihood, or none",
    overfitting: "there held-out accuracy falls or lags; here it is as high as in training",
    preference_margin_blowup: "there the margin itself runs away",
    learning_rate_too_high: "there the first updates do it, with or without a margin",
  },
  taughtBy:
    "DPO of ours with sigmoid alone: chosen -1.3 to -8 nats, held-out accuracy of pairs 1, right answers 37 to 8 %",
  applies: (view) => isPreference(view) && !String(setting(view, "loss")?.value ?? "").includes("apo_down"),
  check(view): Found | null {
    const cells = view.column("chosen_logprob"), known = recordsOf(cells), values = finiteOf(cells);
    if (values.length < TREND_VALUES) return null;
    const { first, last } = ends(values), [from, to] = [median(values.slice(0, START)), mean(last)];
    const error = Math.hypot(deviation(first) / Math.sqrt(START), deviation(last) / Math.sqrt(last.length));
    if (from - to <= Math.max(FELL, SURE * error) || Math.abs(to) <= TIMES * Math.abs(from)) return null;
    const margins = view.finite("reward_margin"), rewards = view.finite("chosen_reward");
    if (margins.length < TREND_VALUES || mean(ends(margins).last) <= Math.max(0, mean(margins.slice(0, START)))) {
      return null;
    }
    if (rewards.length > 0 && mean(ends(rewards).last) >= 0) return null;
    const at = known.at(-1)!;
    return {
      trainSteps: view.stepsAt(known.slice(-last.length)),
      message: `The log-probability of the chosen texts falls from ${show(from)} to ${
        show(to)
      } nats while the margin grows to ${
        show(mean(ends(margins).last))
      }: they lose likelihood along with the rejected ones`,
      evidence: [
        view.evidence("chosen_logprob", known[0]!),
        view.evidence("chosen_logprob", at),
        ...["rejected_logprob", "reward_margin"].filter((name) => Number.isFinite(view.column(name)[at] ?? NaN))
          .map((name) => view.evidence(name, at)),
      ],
      ...(view.imported || setting(view, "loss")?.value !== "sigmoid" ? {} : { remedy: WITH_LIKELIHOOD }),
      ruledOut: heldOut(finiteOf(view.evaluation("preference_accuracy"))),
    };
  },
});

/** Held-out pairs that are still told apart are not forgotten. */
function heldOut(accuracy: readonly number[]): Readonly<Record<string, string>> {
  const last = accuracy.at(-1);
  return last === undefined || last < Math.max(...accuracy) - FEW_PAIRS
    ? {}
    : { overfitting: `held-out accuracy of pairs is ${show(last)}, not below its best` };
}
