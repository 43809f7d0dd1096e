/** Cause `flipped_preference_labels`: chosen and rejected are swapped or shuffled. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import type { Evidence } from "./view/evidence.ts";
import { deviation, ends, finiteOf, isNumber, mean, median, show, written } from "./view/numbers.ts";
import { courseOf, departure, extreme } from "./view/course.ts";
import learningRateTooHigh from "./learning_rate_too_high.ts";
import { LAST_EVALUATIONS } from "./view/carried.ts";
import { shareVariance } from "./view/falls.ts";
import { updatesOf } from "./view/learning_rate.ts";
import { scores } from "./view/scores.ts";
import { isRewardModel } from "./view/reward_model.ts";
import { ownNumber } from "./view/settings.ts";
import type { RunView } from "./view/run_view.ts";
import { isPreference, startLoss } from "./view/groups.ts";
import { STIR_LOSS, STIR_NATS, stirOf } from "./view/stirred.ts";
import { latest, latestError, marginCourse, marginsOf, pairsOf } from "./view/pairs.ts";
import { meanVariance, wanderOf } from "./view/wander.ts";

const HELD_LOW = 0.3, TRAINED_HIGH = 0.7; // Accuracies that say opposite things of held-out and of training pairs.
const LAST_RECORDS = 4; // Records whose mean counts.
const SURE = 3; // Standard errors of a held-out accuracy that it must lie below a half.
const MOVED = 0.05; // A margin, or a reward, that is not 0 by chance; nats times beta.
const ALIVE = 1e-4; // Gradient norm of a run that learns.
/** Records, and updates, after which labels must have shown a signal; an accuracy this near a half shows none. */
const RECORDS = 10, UPDATES = 200, HALF_WIDTH = 0.05, CHANCE = 0.5;
/** Updates from which on it may be shown, and the standard errors by which it must be, and which its rise must not exceed. */
const SOONER = 100, SHOWN_SOONER = 2, RISES_SOONER = 1;
const SHOWN_LATE = 1, RISES_LATE = 2, LITTLE = HALF_WIDTH / 2; // The same from UPDATES on, where less is no rise.
const LATE_EVALUATIONS = 4; // Evaluations of the second half whose mean is a held-out level.
const BELOW_CHANCE = 0.15; // An accuracy of training further below a half is of an update that undoes what it was told.
/** Standard errors of a margin that is lost, what is left of it then, and how near the loss is to where it began. */
const SURE_LOST = 4, LOST = 0.25, BACK = 0.15;
const STIRRED = 0.01; // Rewards that have moved at all, where the loss is no lower than an untrained policy has it.
const OPPOSITE = 0.1; // Share of the margin in training that a held-out one lies below 0 where labels are swapped.
const MARGINS = 20, SMALL_MARGIN = 0.2; // Records with a margin, and the share of the movement that it is at most.
/** Times less likely than what is called rejected: long texts differ by their length, short ones tell at half of it. */
const RATIO = 3, SHORT_RATIO = 1.5, LEAST_RATIO = 1.2;
const SHORT = 30, LONG = 100, APART = 0.5; // A text of fewer nats is short, one of more nats long; one that differs by more than this has another meaning.
const SHOWN = 5; // Train steps that the finding lists.
const FEW = 3; // The least of a first or last quarter.
/** By the reference of a run of ours: times less likely where texts are long, and nats apart. */
const FAR_RATIO = 10, FAR_APART = 5;
const ROSE = 2; // Standard errors by which a held-out score has risen, so that what is called chosen has taught it.

export default defineDiagnosis({
  codes: ["P04", "R05"],
  wastes: "wrong",
  severity: "warning",
  about: "Chosen and rejected are swapped or shuffled: the run learns the opposite, or nothing.",
  reads: [
    "preference_accuracy",
    "evaluations.preference_accuracy",
    "evaluations.correct",
    "chosen_logprob",
    "rejected_logprob",
    "chosen_reward",
    "rejected_reward",
    "reward_margin",
    "grad_norm",
  ],
  decision: [
    written`Held out: an accuracy below ${HELD_LOW} (in a run of ours also by ${SURE} standard errors of its rows below a half) while that of training is above ${TRAINED_HIGH}.`,
    written`Chance: over the last quarter a training accuracy (of a reward model as well) below ${CHANCE} + ${HALF_WIDTH} (not by more than ${BELOW_CHANCE} below ${CHANCE}), after at least ${UPDATES} updates with a gradient, where the second half of the records lies below it by ${SHOWN_LATE} standard errors (of their scatter with its memory, or of the pairs of a batch where these are known and that is more) and above the first half by no more than ${RISES_LATE} or by ${LITTLE}; from ${SOONER} updates on by ${SHOWN_SOONER} and ${RISES_SOONER}; not while the policy has not moved: implicit rewards below ${STIR_NATS} nats times beta and a loss within ${STIR_LOSS} % of an untrained policy's.`,
    written`Held-out chance: after ${SOONER} updates the held-out accuracy of the second half (${LATE_EVALUATIONS} evaluations) lies at ${CHANCE} or below (not by more than ${BELOW_CHANCE}; where the number of pairs is known by ${SHOWN_SOONER} of their standard errors below ${CHANCE} + ${HALF_WIDTH}), the held-out margin at 0 or below, while that of training is below ${TRAINED_HIGH} and there is a gradient.`,
    written`The same where no accuracy is printed: a margin of 0 within two standard errors although the rewards moved by ${MOVED} (by ${STIRRED} where the loss has not fallen below an untrained policy's). In a run of ours a note: a task too hard for the policy looks the same.`,
    written`Over a long run: the margin, once above ${MOVED}, is down by ${SURE_LOST} standard errors to less than ${LOST} times its best, and the loss within ${BACK} of where an untrained policy has it.`,
    written`The policy itself: on at least ten records it gives what is called chosen at least three times lower log-probabilities than what is called rejected (${SHORT_RATIO} times for texts of less than ${SHORT} nats, from step 1; ${FAR_RATIO} times for texts of more than ${LONG}, which may be as much longer).`,
    written`The reference, in a run of ours: the policy before any update gives what is called chosen ${RATIO} times lower log-probabilities (${FAR_RATIO} times for longer texts) and ${FAR_APART} nats less.`,
    written`Ruled out by a held-out score that has risen by ${ROSE} standard errors since, and by a learning rate that is too high, which says why there is no signal.`,
  ],
  hint: "Read ten examples; swap the columns or repair the labels.",
  byHand: "Read ten examples with their labels and swap them if the worse text is called the better one.",
  lookAlikes: { identical_preference_pairs: "there the gradient is about 0" },
  taughtBy:
    "catalogue P04 (TRL DPO and KTO with swapped columns); our own DPO and KTO with swapped labels: -20.2 and -1.27 nats before training",
  check(view): Found | null {
    if (isRewardModel(view)) return noSignal(view, "accuracy");
    if (!isPreference(view)) return null;
    const name = "preference_accuracy";
    const train = view.finite(name);
    const held = finiteOf(view.evaluation(name));
    const late = ends(train, FEW).last;
    const heldOut = median(held.slice(-LAST_EVALUATIONS));
    // Of a few validation rows of ours chance is part of the accuracy.
    const rows = ownNumber(view, "validation_rows");
    const noise = rows === null || rows === 0 ? 0 : SURE * CHANCE / Math.sqrt(rows);
    const isSwapped = heldOut < Math.min(HELD_LOW, CHANCE - noise);
    if (isSwapped && mean(late) > TRAINED_HIGH) {
      return {
        severity: "error",
        trainSteps: swappedFrom(view, name, (accuracy) => accuracy < CHANCE),
        message: `Accuracy is ${show(mean(late))} in training and ${
          show(heldOut)
        } on held-out data: the labels are swapped`,
        evidence: bothEnds(view, name),
      };
    }
    const margins = finiteOf(view.evaluation("reward_margin"));
    const own = view.finite("reward_margin");
    const margin = mean(own.slice(-LAST_RECORDS));
    if (
      // Ours prints the accuracy, too: a margin is one far pair among many as easily as swapped labels.
      (view.imported || isSwapped) && margins.length >= 2 && own.length >= LAST_RECORDS &&
      margins.at(-1)! < -Math.max(MOVED, OPPOSITE * margin) &&
      margin > MOVED &&
      margins.at(-1)! < margins[0]!
    ) {
      return {
        severity: "error",
        trainSteps: swappedFrom(view, "reward_margin", (margin) => margin < 0),
        message: `The margin is ${show(margin)} in training and ${show(margins.at(-1))} on held-out data`,
        evidence: bothEnds(view, "reward_margin"),
      };
    }
    return upsideDown(view) ??
      (learningRateTooHigh.check(view) === null ? unlearned(view) ?? heldOutChance(view) ?? noSignal(view) : null);
  },
});

/** What the end of the run says of a column: in training and on held-out data. */
const bothEnds = (view: RunView, name: string): Evidence[] => [
  view.evidence(name, view.column(name).findLastIndex(isNumber)),
  view.evaluationEvidence(name, view.evaluation(name).findLastIndex(isNumber)),
];

/** The train steps from the evaluation on before which pairs were still in order; all where they never were. */
function swappedFrom(view: RunView, column: string, isOpposite: (value: number) => boolean): readonly number[] {
  const cells = view.evaluation(column);
  const inOrder = cells.findLastIndex((value) => isNumber(value) && !isOpposite(value));
  const since = view.evaluationSteps[inOrder] ?? -Infinity, at = view.trainSteps.findIndex((step) => step > since);
  return view.stepsFrom(at < 0 ? view.records - 1 : at);
}

/** A policy that cannot tell right from wrong learns as little from right labels: in a run of ours that is a note. */
const ofNoSignal = ({ imported }: RunView) => imported ? "warning" : "info";

/** Long runs: what was learned of pairs is unlearned, and the loss is back where it began: the labels have changed. */
function unlearned(view: RunView): Found | null {
  const margin = marginCourse(view), loss = courseOf(view, "loss");
  if (margin === null || loss === null) return null;
  const best = extreme(margin), now = latest(margin);
  const isLost = best.value > MOVED && best.value - now > SURE_LOST * latestError(margin) && now < LOST * best.value;
  const lossNow = latest(loss);
  // A loss far above its start is of updates that wreck the policy.
  if (!isLost || Math.abs(lossNow / startLoss(view) - 1) > BACK) return null;
  const onset = margin.levels[departure(margin, best.value, now, { after: best.at })]!.from;
  const { name } = marginsOf(view), last = margin.records.at(-1)!, accuracy = view.column("preference_accuracy");
  return {
    trainSteps: view.stepsFrom(onset),
    message: `The margin falls from about ${show(best.value)} to ${show(now)} from train step ${
      view.trainSteps[onset]
    } on and the loss is back at ${show(lossNow)}: the labels say something else than before`,
    evidence: [
      ...[margin.records[0]!, onset, last].map((record) => view.evidence(name, record)),
      view.evidence("loss", loss.records.at(-1)!),
      ...(isNumber(accuracy[last]) ? [view.evidence("preference_accuracy", last)] : []),
    ],
    confirm: "the labels from there on, or the accuracy on examples that you have labelled",
  };
}

/** What is learned of the pairs of training says nothing of new ones: labels without a signal are learned one by one, if at all. */
function heldOutChance(view: RunView): Found | null {
  const name = "preference_accuracy", late = mean(ends(view.finite(name), FEW).last);
  const held = lateHalf(finiteOf(view.evaluation(name))),
    margins = lateHalf(finiteOf(view.evaluation("reward_margin")));
  const gradient = view.finite("grad_norm"), alive = gradient.length > 0 && median(gradient) > ALIVE;
  if (held.length < LATE_EVALUATIONS || margins.length < LATE_EVALUATIONS || !alive) return null;
  // The same pairs are asked each time: how far their share lies from that of all pairs no scatter tells, their number does.
  const rows = ownNumber(view, "validation_rows"), accuracy = mean(held);
  const border = rows === null ? CHANCE : CHANCE + HALF_WIDTH - SHOWN_SOONER * CHANCE / Math.sqrt(rows);
  const isChance = accuracy > CHANCE - BELOW_CHANCE && accuracy <= border && mean(margins) <= 0;
  if (!isChance || !(late < TRAINED_HIGH) || updatesOf(view) < SOONER) return null;
  return {
    severity: ofNoSignal(view),
    trainSteps: [view.trainSteps[0]!, view.trainSteps.at(-1)!],
    message:
      `Held-out accuracy is ${show(accuracy)} over the second half of ${updatesOf(view)} updates with a gradient (in ` +
      `training ${show(late)}), and the held-out margin ${show(mean(margins))}: labels carry no signal`,
    evidence: [
      ...bothEnds(view, name),
      view.evaluationEvidence("reward_margin", view.evaluation("reward_margin").findLastIndex(isNumber)),
    ],
    confirm: "the accuracy on examples that you have labelled",
  };
}

const lateHalf = (values: readonly number[]) => values.slice(Math.floor(values.length / 2));

/** Labels of chance teach nothing, however long; a policy that has not moved says nothing of its labels. */
function noSignal(view: RunView, name = "preference_accuracy"): Found | null {
  if (stirOf(view)?.moved === false) return null;
  const train = view.finite(name), late = mean(ends(train, FEW).last);
  const gradient = view.finite("grad_norm"), alive = gradient.length === 0 || median(gradient) > ALIVE;
  const isChance = late > CHANCE - BELOW_CHANCE && late < CHANCE + HALF_WIDTH;
  if (train.length < RECORDS || !isChance || !alive || !isShownChance(view, train)) return noMargin(view);
  return {
    severity: ofNoSignal(view),
    trainSteps: [view.trainSteps[0]!, view.trainSteps.at(-1)!],
    message: `Accuracy is ${show(late)} after ${updatesOf(view)} updates with a gradient: labels carry no signal`,
    evidence: [view.evidence(name, view.column(name).findLastIndex(isNumber))],
    confirm: "the accuracy on examples that you have labelled",
  };
}

/** What is printed bounds the accuracy near a half, and it does not creep up: hard pairs are learned slowly. */
function isShownChance(view: RunView, accuracies: readonly number[]): boolean {
  const updates = updatesOf(view), half = Math.floor(accuracies.length / 2), pairs = pairsOf(view);
  const scatter = Math.sqrt(meanVariance(wanderOf(accuracies), half, accuracies.length));
  const error = Math.max(pairs === null ? 0 : CHANCE / Math.sqrt(pairs * half), scatter);
  const before = mean(accuracies.slice(0, half)), after = mean(accuracies.slice(-half));
  const [shown, rises, little] = updates >= UPDATES
    ? [SHOWN_LATE, RISES_LATE, LITTLE]
    : [SHOWN_SOONER, RISES_SOONER, 0];
  return updates >= SOONER && after + shown * error < CHANCE + HALF_WIDTH &&
    after - before <= Math.max(rises * Math.SQRT2 * error, little);
}

/** Rewards that move for hundreds of updates without a margin: where no accuracy is printed, this says the same. */
function noMargin(view: RunView): Found | null {
  const margins = view.finite("reward_margin");
  if (view.has("preference_accuracy") || margins.length < MARGINS || updatesOf(view) < UPDATES) return null;
  const late = margins.slice(Math.floor(margins.length / 2));
  const moved = median(view.finite("chosen_reward").slice(-late.length).map(Math.abs));
  const error = deviation(late) / Math.sqrt(late.length);
  // A loss that has not fallen tells of less movement than none that is printed.
  const isIdle = (courseOf(view, "loss")?.end ?? 0) >= startLoss(view);
  if (!(moved > (isIdle ? STIRRED : MOVED)) || mean(late) > 2 * error || mean(late) > SMALL_MARGIN * moved) return null;
  return {
    severity: ofNoSignal(view),
    trainSteps: [view.trainSteps[0]!, view.trainSteps.at(-1)!],
    message: `The margin is ${show(mean(late))} after ${updatesOf(view)} updates that moved the rewards by ${
      show(moved)
    }: labels carry no signal`,
    evidence: [view.evidence("reward_margin", view.column("reward_margin").findLastIndex(isNumber))],
    confirm: "the accuracy on examples that you have labelled",
  };
}

/** The policy finds "rejected" far more likely than "chosen" before it learns, and learns to undo it. */
function upsideDown(view: RunView): Found | null {
  const [chosen, rejected] = [view.column("chosen_logprob"), view.column("rejected_logprob")];
  const both = chosen.flatMap((value, record) =>
    isNumber(value) && isNumber(rejected[record]) && value < 0 && rejected[record]! < 0 ? [record] : []
  );
  const before = ofReference(view, both), times = before ?? ofFirstRecords(view, both);
  if (times === null || hasTaught(view)) return null;
  return {
    trainSteps: view.stepsAt(both.slice(0, SHOWN)),
    message: `What is called chosen is ${show(times)} times less likely (in nats) than what is called rejected, ${
      before === null ? "from the first record" : "before any update"
    }`,
    evidence: [view.evidence("chosen_logprob", both[0]!), view.evidence("rejected_logprob", both[0]!)],
    confirm: "read ten examples, or the accuracy on those that you have labelled",
  };
}

/** Times, or null where labels can be right, from the first quarter of a log: a slow run has hardly moved by then. */
function ofFirstRecords(view: RunView, both: readonly number[]): number | null {
  if (both.length < RECORDS) return null;
  const [chosen, rejected] = [view.column("chosen_logprob"), view.column("rejected_logprob")];
  const { first } = ends(both.map((record) => chosen[record]! / rejected[record]!), FEW);
  // Long texts differ by their length; short ones, of a few nats, tell at half the ratio.
  const short = both.slice(0, first.length).every((record) =>
    chosen[record]! > -SHORT && rejected[record]! - chosen[record]! > APART
  );
  const isLong = median(both.slice(0, first.length).map((record) => chosen[record]!)) < -LONG;
  const least = short && view.trainSteps[0] === 1 ? SHORT_RATIO : isLong ? FAR_RATIO : RATIO;
  return median(first) < least || Math.min(...first) < LEAST_RATIO ? null : median(first);
}

/**
 * The same from every record of a run of ours, however fast it undoes what it began with: a reward is beta times what the
 * policy's log-probability has moved from the reference's, so that log-probability - reward / beta is the reference's.
 */
function ofReference(view: RunView, both: readonly number[]): number | null {
  const beta = ownNumber(view, "kl_coef");
  if (view.imported || beta === null || beta <= 0) return null;
  const [chosen, rejected] = ["chosen", "rejected"].map((side) => {
    const [policy, reward] = [view.column(`${side}_logprob`), view.column(`${side}_reward`)];
    return finiteOf(both.map((record) => policy[record]! - (reward[record] ?? NaN) / beta));
  });
  const [mine, theirs] = [mean(chosen!), mean(rejected!)];
  if (chosen!.length < FEW || rejected!.length < FEW || theirs >= 0 || theirs - mine < FAR_APART) return null;
  return mine / theirs < (mine > -SHORT ? RATIO : FAR_RATIO) ? null : mine / theirs;
}

/** What is called chosen has made the policy better: it was right, and new to the policy. */
function hasTaught(view: RunView): boolean {
  return scores(view).some(({ prompts, values }) => {
    if (prompts === null || values.length < 2) return false;
    const [from, to] = [values[0]!, values.at(-1)!];
    return to - from > ROSE * Math.sqrt(2 * shareVariance(prompts)((from + to) / 2, 1));
  });
}
