/** Cause `likelihood_displacement`: the margin grows while the chosen texts themselves become unlikely. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import type { Patch } from "./remedies/patch.ts";
import { courseOf, departure, extreme } from "./view/course.ts";
import { deviation, ends, finiteOf, mean, median, recordsOf, show, TREND_VALUES, written } from "./view/numbers.ts";
import { isPreference } from "./view/groups.ts";
import { heldOutCourse, latest, latestError, marginCourse } from "./view/pairs.ts";
import { leavesStart } from "./view/onset.ts";
import { startsAtBeginning } from "./view/start.ts";
import { isReferenceFree } from "./view/reference.ts";
import { setting } from "./view/settings.ts";
import type { RunView } from "./view/run_view.ts";

/** Nats that the chosen texts lose, and times as many nats as at the start: a healthy run loses a little. */
const FELL = 2.5, TIMES = 2;
const START = 3; // Records whose median is where the chosen texts start.
const FEW_PAIRS = 0.05; // Share of the held-out pairs that chance turns.
const SURE = 2; // Standard errors that the fall must have: batches hold texts of different lengths.
/**
 * Over a long run the reward of the chosen texts tells more than their log-probability: it is beta times what the policy
 * has moved from the reference, so that the lengths of a batch cancel. What it loses from its best (of 1, at which the
 * sigmoid's odds change by e), as a share of what the margin has gained meanwhile, and in standard errors.
 */
const SUNK = 0.5, OF_MARGIN = 0.5, SURE_SINKING = 4;
const SINKING = 0.1, FAR_MORE = 2; // The same of a fall of so many times the margin.
const FAR_BEHIND = 0.3; // Distance of the accuracy on held-out pairs from that of training that is overfitting.
const LEFT = 0.2, BEYOND_NOISE = 3; // Share of the way by which its best level is left, and by how much more than noise.

/** What mends the loss sigmoid in a run of ours: weights of workflows/library/dpo.yaml. */
const WITH_LIKELIHOOD: readonly Patch[] = [
  { step: "train_preferences", key: "dpo_loss", set: ["sigmoid", "sft"] },
  { step: "train_preferences", key: "loss_weights", set: [1, 0.3] },
];

export default defineDiagnosis({
  codes: ["P03"],
  wastes: "wrong",
  severity: "warning",
  about:
    "The chosen texts lose their likelihood along with the rejected ones: the margin grows and the policy unlearns what is preferred.",
  reads: ["chosen_logprob", "rejected_logprob", "reward_margin", "chosen_reward", "settings.loss"],
  decision:
    written`Over at least ${TREND_VALUES} records the log-probability of the chosen texts falls by more than ${FELL} nats, by ${SURE} standard errors and to more than ${TIMES} times as many nats as in the first ${START} records, while the margin has grown above 0 and the reward of the chosen texts, where it is printed, is below 0. Over a long run the reward of the chosen texts ends below 0 and by ${SUNK} and ${SURE_SINKING} standard errors below its best level, which is more than ${OF_MARGIN} times what the margin, above 0, has gained since (by half of that, where the margin gains less than they lose; by ${SINKING}, where they have lost ${FAR_MORE} times the margin): both texts sink. Accuracy that is ${FAR_BEHIND} lower on held-out pairs rules it out. The loss apo_down lowers them on purpose.`,
  spoils: true,
  hint:
    "Add the likelihood of the chosen texts to the loss (a term of supervised learning beside that of preferences), or start again, or from a checkpoint before, with a larger beta or a smaller learning rate.",
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
    return lags(view) ? null : sinks(view) ?? fell(view);
  },
});

/** Long runs: the chosen texts sink along with the rejected ones, by more than the two come apart meanwhile. */
function sinks(view: RunView): Found | null {
  const chosen = courseOf(view, "chosen_reward"), margin = marginCourse(view);
  if (chosen === null || margin === null || chosen.levels.length !== margin.levels.length) return null;
  // At its first update the policy is its reference: both rewards are 0, if there is a reference.
  const origin = startsAtBeginning(view) && !isReferenceFree(view) ? 0 : -Infinity, highest = extreme(chosen);
  const best = highest.value < origin ? { value: origin, at: 0 } : highest,
    [low, now] = [latest(chosen), latest(margin)],
    fall = best.value - low;
  // A fall of several times the margin is no side of it, however small it is yet.
  const least = fall >= FAR_MORE * now ? SINKING : OF_MARGIN * SUNK;
  if (now <= 0 || low >= 0 || fall <= Math.max(least, SURE_SINKING * latestError(chosen))) return null;
  // Until it leaves its best level the margin may grow as it does in any run.
  const share = Math.min(LEFT, Math.max(OF_MARGIN * SUNK, BEYOND_NOISE * chosen.noise) / fall);
  const left = 1 + chosen.levels.findLastIndex(({ value }, at) => at < best.at || value >= best.value - share * fall);
  const [from, then] = left === 0 && origin === 0
    ? [0, 0]
    : [chosen, margin].map(({ levels }) => levels[Math.max(0, left - 1)]!.value) as [number, number];
  if (from - low <= (fall > SUNK ? OF_MARGIN : 1) * (now - then)) return null;
  // As a date that is late: it began where the fall first stood out of the noise.
  const began = Math.min(left, departure(chosen, best.value, low, { after: best.at }));
  const onset = chosen.levels[began]!.from, last = chosen.records.at(-1)!;
  const marginThen = began === 0 && origin === 0 ? 0 : margin.levels[Math.max(0, began - 1)]!.value;
  return {
    trainSteps: view.stepsFrom(onset),
    message: `The reward of the chosen texts falls from about ${show(best.value)} to ${show(low)} from train step ${
      view.trainSteps[onset]
    } on, while the margin goes from ${show(marginThen)} to ${
      show(now)
    }: they lose likelihood along with the rejected ones`,
    evidence: [
      view.evidence("chosen_reward", chosen.records[0]!),
      view.evidence("chosen_reward", onset),
      view.evidence("chosen_reward", last),
      ...["rejected_reward", "reward_margin"].filter((name) => Number.isFinite(view.column(name)[last] ?? NaN))
        .map((name) => view.evidence(name, last)),
    ],
    ...remedyOf(view),
    ruledOut: {
      ...heldOut(finiteOf(view.evaluation("preference_accuracy"))),
      ...(from - low > now - then
        ? { preference_margin_blowup: "the chosen texts fall by more than the margin grows" }
        : {}),
    },
  };
}

/** Held-out pairs are told apart far less well than those of training: what is learned is by heart, with all that it does. */
function lags(view: RunView): boolean {
  const [own, held] = [courseOf(view, "preference_accuracy"), heldOutCourse(view, "preference_accuracy")];
  return own !== null && held !== null && own.end - held.end > FAR_BEHIND;
}

/** The log-probability itself, over as many records as make a trend. */
function fell(view: RunView): Found | null {
  const cells = view.column("chosen_logprob"), known = recordsOf(cells), values = finiteOf(cells);
  if (values.length < TREND_VALUES) return null;
  // The second half, since a fall is half made good in the end now and then; a quarter of its records count for it, as noise has a memory.
  const start = values.slice(0, START), late = values.slice(Math.floor(values.length / 2));
  const [from, to] = [median(start), median(late)];
  const error = Math.hypot(deviation(start) / Math.sqrt(START), deviation(late) / Math.sqrt(late.length / 4));
  if (from - to <= Math.max(FELL, SURE * error) || Math.abs(to) <= TIMES * Math.abs(from)) return null;
  const margins = view.finite("reward_margin"), rewards = view.finite("chosen_reward");
  if (margins.length < TREND_VALUES || mean(ends(margins).last) <= Math.max(0, mean(margins.slice(0, START)))) {
    return null;
  }
  if (rewards.length > 0 && mean(ends(rewards).last) >= 0) return null;
  const at = known.at(-1)!, first = known[halfWay(values, (from + to) / 2)]!;
  // Where half of the fall is made good in the end the start is left for good late: it began with the fall.
  const left = Math.min(first, leavesStart(view, "chosen_logprob") ?? first);
  return {
    trainSteps: view.stepsFrom(left),
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
    ...remedyOf(view),
    ruledOut: heldOut(finiteOf(view.evaluation("preference_accuracy"))),
  };
}

/** Index of the first value from which on so many in a row lie below half of the way, by their median. */
function halfWay(values: readonly number[], half: number): number {
  const at = values.findIndex((_, i) => median(values.slice(i, i + START)) <= half);
  return at < 0 ? values.length - 1 : at;
}

/** The likelihood of the chosen texts is an option of the loss sigmoid. */
function remedyOf(view: RunView) {
  return view.imported || setting(view, "loss")?.value !== "sigmoid" ? {} : { remedy: WITH_LIKELIHOOD };
}

/** Held-out pairs that are still told apart are not forgotten. */
function heldOut(accuracy: readonly number[]): Readonly<Record<string, string>> {
  const last = accuracy.at(-1);
  return last === undefined || last < Math.max(...accuracy) - FEW_PAIRS
    ? {}
    : { overfitting: `held-out accuracy of pairs is ${show(last)}, not below its best` };
}
