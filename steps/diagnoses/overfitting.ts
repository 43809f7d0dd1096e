/** Cause `overfitting`: the training set is memorised or leaks into evaluation. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { fewerPasses } from "./remedies/fewer_passes.ts";
import { BY_HEART, byHeart, copies, WRONG } from "./view/by_heart.ts";
import { CARRIES, carriesOver, LAST_EVALUATIONS } from "./view/carried.ts";
import { rightOnOldPrompts } from "./view/memorised.ts";
import { type Cells, ends, finiteOf, isNumber, LATE, mean, median, percent, show, written } from "./view/numbers.ts";
import { type Course, courseOf, errorOf, isConfirmed, levelOver, wayFrom } from "./view/course.ts";
import { LEFT_BESIDE, shareVariance, SURE_BESIDE } from "./view/falls.ts";
import { isPreference, isReinforcement } from "./view/groups.ts";
import { heldOutCourse, heldOutTurn, levelNear, marginCourse, marginsOf } from "./view/pairs.ts";
import { rewardFunctions } from "./view/rewards.ts";
import type { RunView } from "./view/run_view.ts";
import { scoreEvidence } from "./view/scores.ts";
import { ownNumber } from "./view/settings.ts";
import { epochStarts } from "./view/start.ts";

/** Evaluations of a loss that rise one after the other, above the best by this factor; by the second in any case. */
const RISES = 3, ABOVE = 1.05, FAR_ABOVE = 1.3;
/** A training accuracy that leaves little to learn (with rounding at most the second), and how far held-out ones lag. */
const HIGH = 0.9, WHOLE = 1.05, LAGS = 0.3;
const SWAPPED = 0.4; // An accuracy of preferences below this is of swapped labels.
const SURE = 3; // Standard errors of a held-out score that its distance must have.
/** Share by which a held-out level is seen to be worse where another one says the same; what else is held out of pairs. */
const SEEN = 0.01, HELD_OUT = ["preference_accuracy", "reward_margin", "token_accuracy"] as const;
/** A margin whose halves differ beyond doubt; share of the training loss's fall that held-out pairs must take part in. */
const CLEAR_MARGIN = 1, CARRIED = 0.25;
const SIDE = 5, DROPPED = 0.85; // Records on each side of an epoch's start; share that is left of a loss that was level.

export default defineDiagnosis({
  codes: ["S02", "G05", "D03"],
  wastes: "wrong",
  severity: "warning",
  about: "The run memorises its training set: held-out results get worse while training results get better.",
  reads: [
    "loss",
    "evaluations.loss",
    "epoch",
    "reward",
    "evaluations.reward",
    "evaluations.accuracy",
    "evaluations.correct",
  ],
  decision: [
    written`Over a long run: the held-out loss ends ${SURE} standard errors and ${
      ABOVE - 1
    } % above its best level (${SEEN} % where held-out accuracy or margin have left theirs as well) while the training loss has fallen since.`,
    written`Over a long run on pairs: a margin above ${CLEAR_MARGIN} is less than half as large on held-out pairs, whose loss in the second half falls by less than ${CARRIED} times what that of training does.`,
    written`The evaluation loss rises three times running to more than ${
      ABOVE - 1
    } % above its best while the training loss falls and lies below it.`,
    written`The training loss drops by more than ${
      1 - DROPPED
    } % at two starts of an epoch, unless pairs that were held out are told apart as well as those of training (within ${CARRIES}), or held-out loss falls or accuracy rises from the first of them on.`,
    written`The training reward, in a run of ours the accuracy of the rollouts, is at least ${HIGH}, and the held-out one lower by more than ${LAGS}.`,
    written`Over a long run of RL: a held-out score has fallen as reward_collapse wants it, or to less than ${LEFT_BESIDE} % of its best by ${SURE_BESIDE} standard errors of neighbouring evaluations, while the goal on the prompts of training (all that is paid, where the same is measured on held-out prompts) has risen since, or stays where nearly all is right.`,
    written`In a run of ours: half of the prompts of a train step are copies, or a warm start has a loss below ${BY_HEART} and less than ${WRONG} of the validation prompts right.`,
  ],
  hint: "Take the best checkpoint, train fewer epochs, or use more data.",
  remedy: [{ option: "epochs", set: 1 }],
  lookAlikes: { reward_hacking: "there a proxy rises on new prompts too" },
  taughtBy: "catalogue S02 (100 rows for 50 epochs); REINFORCE++ paper: 95.0 % in training, 0.0 % held out",
  check(view): Found | null {
    const worse = turned(view) ?? risingEvaluation(view) ?? rightOnOldPrompts(view);
    if (worse !== null) {
      const { best, ...found } = worse;
      return { ...found, ...fewerPasses(view, best) };
    }
    const apart = gap(view) ?? marginGap(view) ?? heldOutGap(view) ?? stairs(view) ?? copies(view) ?? byHeart(view);
    return apart && { ...fewerPasses(view, null), ...apart };
  },
});

/** What got worse on held-out rows, and the train step at which it was best. */
interface Worse extends Found {
  readonly best: number | null;
}

/** Long runs: the held-out loss has left its best for good while the training loss has gone on falling. */
function turned(view: RunView): Worse | null {
  const turn = heldOutTurn(view, SURE), training = courseOf(view, "loss");
  if (turn === null || training === null || isReinforcement(view)) return null;
  const { held, best, rise } = turn, at = held.levels[best.at]!.to;
  const step = view.evaluationSteps[at] ?? NaN, then = levelNear(training, view.trainSteps, step);
  const worse = HELD_OUT.filter((name) => leftBest(heldOutCourse(view, name)));
  const least = worse.length === 0 ? ABOVE - 1 : SEEN;
  if (
    then - training.end <= SURE * errorOf(training) || !isConfirmed(held, best.value, best.at) ||
    rise <= least * Math.abs(best.value) ||
    held.end <= training.end
  ) {
    return null;
  }
  const evaluated = (name: string) => view.evaluationEvidence(name, view.evaluation(name).findLastIndex(isNumber));
  return {
    best: view.evaluationSteps[at] ?? null,
    trainSteps: view.evaluationSteps.slice(at),
    message: `The held-out loss rises from about ${show(best.value)} at train step ${step} to ${
      show(held.end)
    } while the training loss falls from about ${show(then)} to ${show(training.end)}`,
    evidence: [
      view.evaluationEvidence("loss", held.records[0]!),
      view.evaluationEvidence("loss", at),
      evaluated("loss"),
      view.evidence("loss", training.records.at(-1)!),
      ...worse.map(evaluated),
    ],
    ruledOut: { training_divergence: "the training loss falls" },
  };
}

/** Long runs: since an evaluation the training loss has risen as well. */
function risesToo(view: RunView, evaluated: number): boolean {
  const training = courseOf(view, "loss"), step = view.evaluationSteps[evaluated];
  return training !== null && step !== undefined &&
    training.end - levelNear(training, view.trainSteps, step) > SURE * errorOf(training);
}

/** True where a held-out share or margin ends below its best level, by more than chance and by a share of it that is seen. */
function leftBest(held: Course | null): boolean {
  if (held === null) return false;
  const { from, by, sigma } = wayFrom(held, 1, { until: "end" });
  return isConfirmed(held, from) && sigma < -SURE && -by > SEEN * Math.abs(from);
}

/** Long runs on pairs: what the margin gains is gained on the pairs of training alone. */
function marginGap(view: RunView): Found | null {
  const margin = marginCourse(view), held = heldOutCourse(view, "reward_margin");
  const [loss, heldLoss] = [courseOf(view, "loss"), heldOutCourse(view, "loss")];
  if (!isPreference(view) || margin === null || held === null || loss === null || heldLoss === null) return null;
  if (margin.end < CLEAR_MARGIN || held.end >= 0.5 * margin.end) return null;
  const [fell, heldFell] = [secondHalf(loss), secondHalf(heldLoss)];
  if (fell <= SURE * errorOf(loss) || heldFell > CARRIED * fell) return null;
  const at = 1 +
    held.records.findLastIndex((record, i) =>
      held.values[i]! >= 0.5 * levelNear(margin, view.trainSteps, view.evaluationSteps[record]!)
    );
  const first = held.records[Math.min(at, held.records.length - 1)]!, { name } = marginsOf(view);
  return {
    trainSteps: view.evaluationSteps.slice(first),
    message: `The margin is about ${show(margin.end)} in training and ${
      show(held.end)
    } on held-out data, whose loss hardly falls any more`,
    evidence: [
      view.evidence(name, margin.records[0]!),
      view.evaluationEvidence("reward_margin", first),
      view.evidence(name, margin.records.at(-1)!),
      view.evaluationEvidence("reward_margin", held.records.at(-1)!),
      view.evaluationEvidence("loss", heldLoss.records.at(-1)!),
    ],
  };
}

/** By how much a loss fell in the second half. */
function secondHalf({ levels, width, end }: Course): number {
  const half = Math.floor(levels.length / 2);
  return levelOver(levels, half, Math.min(levels.length, half + width)) - end;
}

function risingEvaluation(view: RunView): Worse | null {
  const evaluation = view.evaluation("loss");
  const values = finiteOf(evaluation);
  if (values.length <= RISES || isReinforcement(view)) return null;
  const best = Math.min(...values);
  const tail = values.slice(-RISES);
  const before = values.at(-RISES - 1)!;
  const rising = tail.every((value, index) => value > (index === 0 ? before : tail[index - 1]!));
  const loss = view.finite("loss");
  const { first, last } = ends(loss), [early, late] = [mean(first), mean(last)];
  const above = values.at(-1)! > ABOVE * best;
  const well = values.at(-1)! > FAR_ABOVE * best && values.indexOf(best) <= values.length - RISES;
  // A loss that wanders is above its best now and then, three times running too.
  const held = heldOutCourse(view, "loss");
  if (held !== null && wayFrom(held, -1).sigma <= SURE) return null;
  if (risesToo(view, evaluation.findIndex((value) => value === best))) return null;
  if (!(rising && above || well) || loss.length === 0 || late >= early || values.at(-1)! < late) return null;
  return {
    best: view.evaluationSteps[evaluation.indexOf(best)] ?? null,
    trainSteps: view.evaluationSteps.slice(well ? evaluation.indexOf(best) : -RISES - 1),
    message: `Evaluation loss rises from ${show(best)} to ${show(values.at(-1))} while training loss falls to ${
      show(late)
    }`,
    evidence: [
      view.evaluationEvidence("loss", evaluation.findLastIndex(isNumber)),
      view.evidence("loss", view.column("loss").findLastIndex(isNumber)),
    ],
    ruledOut: { training_divergence: "the training loss falls" },
  };
}

function gap(view: RunView): Found | null {
  for (const name of ["accuracy", "reward", "token_accuracy", "preference_accuracy"]) {
    const held = view.evaluation(name), other = finiteOf(held).slice(-LAST_EVALUATIONS);
    const mine = finiteOf(view.column(name).slice(0, until(view, held.findLastIndex(isNumber))));
    if (mine.length < LATE || other.length < 1 || name === "reward" && paysOther(view)) continue;
    // A held-out score that rises lags behind by its evaluations alone: the last one is where it is.
    const top = median(mine.slice(-LATE)), low = Math.max(median(other), other.at(-1)!);
    // Of a few validation rows of ours chance is part of the distance.
    const rows = ownNumber(view, "validation_rows"), noise = rows === null ? 0 : shareVariance(rows)(low, 1) ** 0.5;
    if (top > WHOLE || top < HIGH || top - low <= Math.max(LAGS, SURE * noise)) continue;
    if (name === "preference_accuracy" && low < SWAPPED) continue;
    return {
      trainSteps: apartFrom(view, name, view.evaluationSteps, view.evaluation(name)),
      message: `${name} is ${show(top)} in training and ${show(low)} held out`,
      evidence: [
        view.evidence(name, view.column(name).findLastIndex(isNumber)),
        view.evaluationEvidence(name, view.evaluation(name).findLastIndex(isNumber)),
      ],
    };
  }
  return null;
}

/** Several functions are paid in training and none of them is printed of held-out prompts: their reward may be one of them. */
function paysOther(view: RunView): boolean {
  return rewardFunctions(view).length > 1 && !view.evaluated.some((column) => column.startsWith("reward."));
}

/** Records up to the train step of an evaluation; all where none is known. */
function until(view: RunView, evaluation: number): number {
  const step = view.evaluationSteps[evaluation];
  return step === undefined ? view.records : view.trainSteps.findLastIndex((trainStep) => trainStep <= step) + 1;
}

/** The evaluations since which what is held out lags behind training that far; the last one where only their median does. */
function apartFrom(view: RunView, name: string, steps: readonly number[], held: Cells): readonly number[] {
  const together = held.findLastIndex((value, at) => {
    const to = until(view, at), then = finiteOf(view.column(name).slice(Math.max(0, to - LATE), to));
    return isNumber(value) && !(median(then) - value > LAGS);
  });
  const since = steps.slice(together + 1);
  return since.length > 0 ? since : steps.length > 0 ? steps.slice(-1) : view.trainSteps.slice(-1);
}

/** Runs of ours: right on the prompts of the rollouts of that time, wrong on those that were held out. */
function heldOutGap(view: RunView): Found | null {
  if (!isReinforcement(view)) return null;
  const accuracy = view.column("accuracy");
  for (const series of view.scores) {
    if (series.split === "train" || series.mode !== "sampled") continue;
    const at = series.values.length - 1;
    const known = view.trainSteps.flatMap((step, record) =>
      step <= series.trainSteps[at]! && isNumber(accuracy[record]) ? [record] : []
    ).slice(-LATE);
    const top = median(known.map((record) => accuracy[record]!));
    const low = series.values[at]!;
    const noise = Math.sqrt(shareVariance(series.prompts ?? 1)(low, 1));
    if (known.length < LATE || !(top >= HIGH) || top - low <= Math.max(LAGS, SURE * noise)) continue;
    return {
      trainSteps: apartFrom(view, "accuracy", series.trainSteps, series.values),
      message: `${percent(top)} of the completions are right in training and ${percent(low)} of ${
        series.prompts ?? "the"
      } prompts that were held out`,
      evidence: [view.evidence("accuracy", known.at(-1)!), scoreEvidence(series, at)],
      hint: "Give more different prompts: these are known by heart.",
      remedy: [],
    };
  }
  return null;
}

/** Drops at epoch starts: the second visit of a row is recognised. */
function stairs(view: RunView): Found | null {
  if (view.algorithm !== "sft" && view.algorithm !== "dpo") return null;
  const [epoch, loss] = [view.column("epoch"), view.column("loss")];
  const level = (from: number, to: number) => mean(finiteOf(loss.slice(Math.max(0, from), to)));
  const drops: number[] = [], starts = epochStarts(epoch);
  // The stretches before and after a start lie in one epoch each.
  if (view.records < 2 * SIDE * (starts.length + 1)) return null;
  for (const record of starts) {
    if (record <= SIDE || record >= view.records - SIDE || epoch[record]! < 1) continue;
    const inside = level(record - 2 * SIDE, record - SIDE);
    const [last, next] = [level(record - SIDE, record), level(record, record + SIDE)];
    if (next < DROPPED * last && Math.abs(inside - last) < 0.5 * (last - next)) drops.push(record);
  }
  if (drops.length < 2 || carriesOver(view, view.trainSteps[drops[0]!]!)) return null;
  return {
    trainSteps: view.stepsAt(drops),
    message: `The loss drops at ${drops.length} starts of an epoch: rows seen before are recognised`,
    evidence: drops.slice(0, 2).map((record) => view.evidence("loss", record)),
    confirm: "the loss on held-out rows",
  };
}
