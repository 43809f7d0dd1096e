/** Cause `training_divergence`: a loss grows without bound. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { SMALLER_STEPS } from "./remedies/often.ts";
import { ends, finiteOf, isNonFinite, isNumber, LATE, median, show, written } from "./view/numbers.ts";
import { firstNonFinite, passingNonFinite } from "./view/non_finite.ts";
import { gainEvidence, gainSince, gainText } from "./view/progress.ts";
import type { RunView } from "./view/run_view.ts";
import { type Course, courseOf, departure, extreme, levelsSince } from "./view/course.ts";
import { isPreference, isReinforcement } from "./view/groups.ts";
import { leavesBest } from "./view/onset.ts";
import { unlearnedPairs } from "./view/reward_model.ts";
import { isHarder, LEFT_LEVEL, leftForGood, neverLearns } from "./view/left_level.ts";

/** Times its start that a loss has grown: a supervised one, and policy and critic, whose losses rise by themselves. */
const SUPERVISED = 2, REINFORCED = 100;
const WRECKED_PAIRS = 2; // A loss on pairs below this has not diverged: it starts at ln 2, and that of KTO is at most 1.
const ABOVE_BEST = 1.5; // Times its best level that it must lie above as well.
const LEAST_START = 0.05, LEAST_BEST = 0.03; // Losses below these are as good as 0.

/** Over a long run of reinforcement: times the level of its first third that gradient and loss reach, and standard errors. */
const STEEPER = 5, LARGER = 10, SURE = 6, SINCE = 4;
const ENORMOUS = 1e3; // Times its level in the first third that neither a gradient nor a loss of a run reaches that trains.
const AT_TOP = 0.7; // Share of its highest level at which it still stands at the end.

const LOSSES = ["loss", "policy_loss", "value_loss", "total_loss"] as const;

export default defineDiagnosis({
  codes: ["N02", "N03", "E02"],
  wastes: "all",
  about: "A loss grows without bound.",
  reads: ["loss", "policy_loss", "value_loss", "grad_norm"],
  decision: [
    written`A loss becomes infinite after finite records; or, outside reinforcement learning, the median of its last quarter is above twice its start and above ${ABOVE_BEST} times its best with at least five records (of a loss on pairs also above ${WRECKED_PAIRS}, which starts at ln 2 and, in KTO, is at most 1); or two losses of a policy and its critic are above ${REINFORCED} times their first quarter. A rising GRPO or PPO loss alone is no divergence: over a long run the gradient must grow with it, to ${STEEPER} times its level in the first third (the loss to ${LARGER} times), by ${SURE} standard errors and to the end, while nothing that the run is for rises; a warning where none falls; or either of them stays at ${ENORMOUS} times that level, a warning.`,
    ...LEFT_LEVEL,
    "Or a reward model's accuracy of pairs has lost half of what it had above chance and its loss lies above ln 2.",
  ],
  spoils: true,
  hint: "Go back to a checkpoint before it, or start again, with a lower learning rate.",
  remedy: [SMALLER_STEPS],
  lookAlikes: {
    learning_rate_too_high: "there the configuration or the first updates prove the step size",
    overfitting: "there only the evaluation loss rises",
  },
  taughtBy: "DeepSpeed-Chat: act_loss and cri_loss 30.9 to inf within two steps",
  check(view): Found | null {
    for (const name of LOSSES) {
      const cells = view.column(name);
      const at = cells.findIndex((value) => value === Infinity || value === -Infinity);
      if (at < 0 || passingNonFinite(view) !== null) continue;
      const first = firstNonFinite(view);
      if (first !== null && first.record < at) continue;
      const before = cells.slice(0, at).findLastIndex(isNumber);
      const others = LOSSES.filter((other) => other !== name && isNonFinite(view.column(other)[at]));
      if (before < 0 && others.length === 0) continue;
      return {
        trainSteps: view.trainSteps.slice(at),
        message: `${name} becomes infinite at train step ${view.trainSteps[at]}${
          before < 0 ? "" : ` (${show(cells[before])} before)`
        }${others.length > 0 ? `, with ${others.join(", ")}` : ""}`,
        evidence: [
          ...(before < 0 ? [] : [view.evidence(name, before)]),
          view.evidence(name, at),
          ...others.map((other) => view.evidence(other, at)),
        ],
        ruledOut: { old_logprob_nan: "the loss grows to infinity instead of turning NaN" },
      };
    }
    const slow = isReinforcement(view) ? slowly(view) : null;
    if (slow !== null) return slow;
    const gone = isReinforcement(view) ? runaway(view) : null;
    if (gone !== null) return gone;
    const grown = LOSSES.filter((name) => grew(view.column(name), isReinforcement(view) ? REINFORCED : SUPERVISED));
    if (
      isReinforcement(view)
        ? grown.length < 2
        : !grown.includes("loss") || isPreference(view) && median(view.finite("loss").slice(-LATE)) < WRECKED_PAIRS
    ) {
      return leaves(view);
    }
    if (grown[0] === "loss" && becameHarder(view)) return null;
    const name = grown[0]!, from = leavesBest(view, name, -1);
    const last = view.column(name).findLastIndex(isNumber);
    return {
      trainSteps: from === null ? view.trainSteps.slice(-LATE) : view.stepsFrom(from),
      message: `${name} grew from ${show(view.finite(name)[0])} to ${show(view.column(name)[last])}`,
      evidence: [view.evidence(name, view.column(name).findIndex(isNumber)), view.evidence(name, last)],
    };
  },
});

/** Over a long run of supervised learning: a loss far above its best level for good, or one that never fell from ignorance. */
function leaves(view: RunView): Found | null {
  const pairs = unlearnedPairs(view);
  if (pairs !== null) return ofPairs(view, pairs);
  const left = leftForGood(view), course = left?.course ?? neverLearns(view);
  if (course === null) return null;
  const last = course.records.at(-1)!, from = left?.record ?? course.records[0]!;
  return {
    trainSteps: view.stepsFrom(from),
    trend: true,
    message: left === null
      ? `The loss stays at ${show(course.start)} to ${
        show(course.end)
      } nats per token, those of a model that knows nothing`
      : `The loss goes from about ${show(left.best)} to ${show(course.now)} and stays there`,
    evidence: [...new Set([course.records[0]!, from, last])].map((record) => view.evidence("loss", record)),
    confirm: "the loss on held-out rows, and what an earlier checkpoint generates",
  };
}

/** A reward model whose loss ends above that of no answer, and whose accuracy has gone back. */
function ofPairs(view: RunView, { accuracy, loss, best }: NonNullable<ReturnType<typeof unlearnedPairs>>): Found {
  const since = loss.levels[departure(loss, extreme(loss, -1).value, loss.end, { after: extreme(loss, -1).at })]!.from;
  return {
    trainSteps: view.stepsFrom(since),
    trend: true,
    message: `The accuracy of pairs falls from about ${show(best)} to ${
      show(accuracy.end)
    } and the loss rises to about ${show(loss.end)}, above that of no answer (ln 2)`,
    evidence: [
      view.evidence("loss", since),
      view.evidence("loss", loss.records.at(-1)!),
      view.evidence("accuracy", accuracy.records.at(-1)!),
    ],
  };
}

/** Of a long supervised run: the batches, not the model, are what changed. */
function becameHarder(view: RunView): boolean {
  const course = isReinforcement(view) || isPreference(view) || !view.isWhole ? null : courseOf(view, "loss");
  if (course === null) return false;
  const values = course.levels.map(({ value }) => value), value = Math.min(...values);
  return isHarder(view, course, { value, at: values.indexOf(value) });
}

function grew(cells: readonly (number | null)[], factor: number): boolean {
  const values = finiteOf(cells).map(Math.abs);
  if (values.length < LATE) return false;
  const { first, last } = ends(values, 2);
  const start = Math.max(values[0]!, median(first), LEAST_START), late = median(last);
  return late > factor * start && late > ABOVE_BEST * Math.max(LEAST_BEST, Math.min(...values));
}

/** A gradient or a loss ends a thousand times where it was, and stays there: whatever else is printed, that is no training. */
function runaway(view: RunView): Found | null {
  for (const name of ["grad_norm", "loss"]) {
    const course = courseOf(view, name);
    if (course === null) continue;
    const usual = median(
      course.levels.slice(0, Math.ceil(course.levels.length / 3)).map(({ value }) => Math.abs(value)),
    );
    const late = course.levels.slice(-SINCE).map(({ value }) => Math.abs(value));
    const border = ENORMOUS * Math.max(usual, name === "loss" ? LEAST_START : 0);
    if (usual === 0 && name === "grad_norm" || !late.every((value) => value > border)) continue;
    const at = course.levels.findIndex(({ value }) => Math.abs(value) > border);
    const from = course.levels[at]!.from, last = course.records.at(-1)!;
    return {
      severity: "warning",
      trainSteps: view.stepsFrom(from),
      trend: true,
      message: `${name} goes from about ${show(usual)} to ${show(course.now)} and stays there`,
      evidence: [view.evidence(name, course.records[0]!), view.evidence(name, from), view.evidence(name, last)],
    };
  }
  return null;
}

/** Over a long run: loss and gradient grow together and do not stop, and what the run is for does not rise. */
function slowly(view: RunView): Found | null {
  const gradient = risenTo(courseOf(view, "grad_norm"), STEEPER), loss = risenTo(courseOf(view, "loss"), LARGER);
  if (gradient === null || loss === null) return null;
  const left = departure(gradient.course, gradient.usual, gradient.course.now);
  const at = gradient.course.levels[left]!.from, trainStep = view.trainSteps[at]!, gain = gainSince(view, trainStep);
  if (gain === null || !gain.still || levelsSince(gradient.course, left) < SINCE) return null;
  const last = loss.course.records.at(-1)!;
  return {
    ...(gain.falls ? {} : { severity: "warning" }),
    trainSteps: view.stepsFrom(at),
    trend: true,
    message: `Since train step ${trainStep} the gradient norm grows from about ${show(gradient.usual)} to ${
      show(gradient.course.now)
    } and the loss to ${show(loss.course.now)}, and ${gainText(gain)}`,
    evidence: [
      view.evidence("grad_norm", at),
      view.evidence("grad_norm", gradient.course.records.at(-1)!),
      view.evidence("loss", loss.course.records[0]!),
      view.evidence("loss", last),
      ...gainEvidence(gain, trainStep),
    ],
    ruledOut: { gradient_spikes: "the level itself grows" },
  };
}

/** A course that ends many times above the level of its first third, beyond chance and near its highest level. */
function risenTo(course: Course | null, times: number) {
  if (course === null) return null;
  const first = course.levels.slice(0, Math.ceil(course.levels.length / 3)).map(({ value }) => Math.abs(value));
  const usual = median(first), { now, noise } = course, top = Math.max(...course.levels.map(({ value }) => value));
  const isFar = now >= times * Math.max(...first) && now >= AT_TOP * top;
  return isFar && now - usual > SURE * noise ? { course, usual } : null;
}
