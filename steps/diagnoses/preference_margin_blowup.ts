/** Cause `preference_margin_blowup`: the DPO margin runs away; it looks perfect. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { departure, levelOver } from "./view/course.ts";
import { heldOutCourse, heldOutTurn, latest, latestError, marginCourse, marginsOf } from "./view/pairs.ts";
import {
  AGREEING_RECORDS,
  type Cells,
  change,
  finiteOf,
  isNumber,
  mean,
  median,
  recordsOf,
  show,
  written,
} from "./view/numbers.ts";
import { isPreference } from "./view/groups.ts";
import type { RunView } from "./view/run_view.ts";

const MARGIN = 50; // A working margin stays below 10.
/** Records that show how far the chosen texts' log-probability fell, and nats that are worth a word. */
const FEW = 4, FELL = 5;
/** Share of an epoch in which nothing can be known by heart, and a loss that is nothing. */
const EARLY = 0.1, NO_LOSS = 1e-3;
const SEPARABLE = 0.99; // Held-out accuracy of data that are separable.
/** A margin whose pairs have less than 1 % of their gradient left, and one of which the loss sees nothing at all. */
const FEW_LEFT = 5, BEYOND = 10;
/** Share of the margin below which held-out pairs are left behind; times as fast as in the first half of the run. */
const BEHIND = 1 / 3, LEARNED = 0.5, FASTER = 2;
const TURNED = 0.15; // Share of its lowest level by which a held-out loss that has turned lies above it.
/** Standard errors of a growth; share of the way by which the earlier level is left. */
const SURE = 4;

export default defineDiagnosis({
  codes: ["P02", "P03"],
  wastes: "wrong",
  about:
    "The margin between chosen and rejected runs away: accuracy 1 and loss 0 look perfect while the policy is wrecked.",
  reads: ["reward_margin", "preference_accuracy", "loss", "chosen_logprob", "rejected_logprob", "epoch"],
  decision: [
    written`A margin above ${MARGIN} in absolute value on two records (or the last).`,
    written`Accuracy 1 with a loss below ${NO_LOSS.toExponential()} on three records within the first ${EARLY} % of an epoch; with a held-out accuracy of 1 as well and a margin below ${MARGIN} the data are separable.`,
    written`A warning over a long run: the margin ends above ${FEW_LEFT}, where less than 1 % of the gradient is left, still grows by ${SURE} standard errors in the second half, and is above ${BEYOND}, or grew ${FASTER} times as much there as in the first half where nothing is held out, or held-out pairs have a margin of ${LEARNED} and less than a third of it.`,
    written`Held-out pairs with more than half of the margin, or all told apart, rule the warning out; so does a held-out loss ${TURNED} % and ${SURE} standard errors above its best: that is overfitting.`,
  ],
  spoils: true,
  hint:
    "Start again, or from a checkpoint before, with a tenth of the learning rate and no more than the usual one, a larger beta and one epoch.",
  remedy: [
    { step: "train_preferences", key: "learning_rate", mul: 0.1, usual: true, min: 1e-9 },
    { step: "train_preferences", key: "beta", mul: 2, max: 1 },
    { option: "epochs", set: 1 },
  ],
  lookAlikes: { healthy: "separable data have a held-out accuracy of 1 too" },
  taughtBy: "TRL DPO at learning rate 10: margin 7470, loss 0.0, accuracy 1.0",
  check(view): Found | null {
    if (!isPreference(view)) return null;
    const { name, margins } = marginsOf(view);
    const large = tooLarge(view, name, margins), away = runsAway(view, name);
    // Over a long run it began before it was too large.
    if (large !== null && away !== null) return { ...large, trainSteps: away.trainSteps, message: away.message };
    return large ?? tooGood(view, margins) ?? away;
  },
});

/** Long runs: a margin that leaves what the loss can see, and goes on growing, while pairs that were held out stay behind. */
function runsAway(view: RunView, name: string): Found | null {
  const margin = marginCourse(view);
  if (margin === null) return null;
  const now = latest(margin);
  const { levels, width } = margin, half = Math.floor(levels.length / 2);
  const middle = levelOver(levels, half, half + width), second = now - middle;
  const held = heldOutCourse(view, "reward_margin"), accuracy = heldOutCourse(view, "preference_accuracy");
  // Held-out pairs that were never told apart are those of an overfitted run.
  const isBehind = held !== null && held.end > LEARNED && held.end < BEHIND * now;
  const follows = held !== null ? held.end > 0.5 * now : accuracy !== null && accuracy.end > SEPARABLE;
  const speedsUp = held === null && second > FASTER * (middle - margin.start);
  // Pairs that are known by heart: that is overfitting, and the margin follows.
  const turn = heldOutTurn(view, SURE);
  if (turn !== null && turn.rise > TURNED * Math.abs(turn.best.value)) return null;
  if (now <= FEW_LEFT || follows || second <= SURE * latestError(margin) || !(now > BEYOND || isBehind || speedsUp)) {
    return null;
  }
  const onset = levels[departure(margin, middle < FEW_LEFT ? middle : margin.start, now)]!.from;
  const last = margin.records.at(-1)!, evaluated = view.evaluation("reward_margin").findLastIndex(isNumber);
  return {
    severity: "warning",
    trainSteps: view.stepsFrom(onset),
    message: `The margin grows from about ${show(margin.start)} to ${show(now)}, from train step ${
      view.trainSteps[onset]
    } on, and does not slow down${held === null ? "" : `; on held-out data it is ${show(held.end)}`}`,
    evidence: [
      ...[margin.records[0]!, onset, last].map((record) => view.evidence(name, record)),
      ...(isNumber(view.column("loss")[last]) ? [view.evidence("loss", last)] : []),
      ...(evaluated < 0 ? [] : [view.evaluationEvidence("reward_margin", evaluated)]),
    ],
    ruledOut: {
      healthy: held === null
        ? "the margin of a run that learns slows down as its loss vanishes"
        : "held-out data do not follow",
    },
  };
}

function tooLarge(view: RunView, name: string, margins: Cells): Found | null {
  const known = recordsOf(margins), large = known.filter((record) => Math.abs(margins[record]!) > MARGIN);
  if (large.length < 2 && (large.length === 0 || large.at(-1) !== known.at(-1))) return null;
  const chosen = view.finite("chosen_logprob"), fall = chosen.length >= FEW ? change(chosen).by : 0;
  const at = large.at(-1)!;
  return {
    trainSteps: view.stepsAt(large),
    message: `The margin reaches ${show(margins[at])}${
      fall < -FELL ? `, the log-probability of chosen texts fell by ${show(-fall)} nats` : ""
    }`,
    evidence: [
      view.evidence(name, known[0]!),
      view.evidence(name, at),
      ...["loss", "chosen_logprob"].filter((column) => isNumber(view.column(column)[at]))
        .map((column) => view.evidence(column, at)),
    ],
    ruledOut: { healthy: "a working margin stays below 10" },
  };
}

/** Everything right and nothing lost within the first part of an epoch. */
function tooGood(view: RunView, margins: Cells): Found | null {
  const [accuracy, epoch, loss] = ["preference_accuracy", "epoch", "loss"].map((name) => view.column(name));
  const early = recordsOf(epoch!).filter((record) =>
    epoch![record]! <= EARLY && accuracy![record] === 1 && isNumber(loss![record]) && Math.abs(loss![record]!) < NO_LOSS
  );
  const held = finiteOf(view.evaluation("preference_accuracy"));
  const separable = held.length > 0 && mean(held) > SEPARABLE && median(finiteOf(margins)) < MARGIN;
  if (early.length < AGREEING_RECORDS || separable) return null;
  const at = early[0]!;
  return {
    trainSteps: view.stepsAt(early),
    message: `Accuracy 1 and loss ${show(loss![at])} after ${show(epoch![at])} epochs: too good`,
    evidence: [view.evidence("preference_accuracy", at), view.evidence("loss", at), view.evidence("epoch", at)],
  };
}
