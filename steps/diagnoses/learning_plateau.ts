/** Cause `learning_plateau`: learning stopped long before the end. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { type Course, courseOf, errorOf, extreme, levelOver } from "./view/course.ts";
import type { Evidence } from "./view/evidence.ts";
import { isReinforcement } from "./view/groups.ts";
import { mean, percent, show, written } from "./view/numbers.ts";
import {
  aims,
  directionOf,
  gainEvidence,
  gainText,
  heightOf,
  MOSTLY_SOLVED,
  paid,
  type Signal,
  sinceLevel,
  spanOf,
  truths,
} from "./view/progress.ts";
import { IDLE_BEFORE, idleFrom, SPENT, spentFrom, trainsSteps } from "./view/learning_rate.ts";
import { isOfFewDigits } from "./view/rounded_rate.ts";
import { levelNear } from "./view/pairs.ts";
import { NEARLY_SOLVED, nearlySolved } from "./view/rewards.ts";
import type { RunView } from "./view/run_view.ts";

const FLAT = 0.55; // Share of the run in which nothing rises.
const ROSE = 4, GAINED = 0.2; // Standard errors, and share of what it spans, that a signal must have risen before.
/** Of its highest, the entropy that is left; the share of cut or tied that tells why. */
const NO_ENTROPY = 0.2, CUT = 0.15, TIED = 0.7;
const LEARNED = 3; // Standard errors by which a signal had risen before a rate of exactly 0, which explains the rest.
const LEVELS = 12, FEW = 5, STEPS = 150; // Stretches, those of evaluations, and train steps, of a run that shows it.
/** Flat: no later level lies this share of the span higher, and chance is less; or less than that where something says why. */
const SPAN = 0.12, WIDEST = 0.2;
const LONG = 0.7; // The same where nothing says why: share of the run.
/** Standard errors of a slope that is learning, however slow; where something says why it does not. */
const CLIMBS = 1.5, CLIMBS_CLEARLY = 3;

const HINT = "Stop at the best held-out score; what comes after it only costs.";
const RATE_HINT = "Let the schedule end with the run, or start a new one from here with a fresh schedule.";

/** Why learning stands still, with the row that shows it. */
interface Why {
  readonly text: string;
  readonly evidence: readonly Evidence[];
  readonly hint: string;
}

export default defineDiagnosis({
  codes: ["S04"],
  wastes: "all",
  severity: "warning",
  about: "The run has learned and then stands still for half of its length or more.",
  reads: ["reward", "evaluations.accuracy", "entropy", "learning_rate", "zero_spread_fraction", "truncated_fraction"],
  decision: [
    written`A signal (held-out score, goal, reward) has risen by ${ROSE} standard errors of its levels, and in the last ${FLAT} % of the run and more none rises: no later level lies ${SPAN} % of what the run spans higher, nor does a line through them climb by ${CLIMBS} standard errors (${CLIMBS_CLEARLY} where something printed says why it stands still).`,
    written`A signal whose standard error is larger than that (than ${WIDEST} % where something printed says why) says nothing.`,
    written`Where nothing says why it must be ${LONG} % of the run. A signal that ends above ${MOSTLY_SOLVED} % of its scale is flat because it is learned: a note where something says why, else nothing.`,
    written`A spent rate: a signal, of pairs the margin or else the loss, has risen so, or by ${LEARNED} standard errors, before the learning rate is 0, or ${SPENT} % of its peak, from before ${IDLE_BEFORE} of the run to its end.`,
    "It says why: groups tie because they are right, the entropy is gone, the learning rate is spent, answers are cut at the cap, groups tie because they are wrong; or that nothing printed says why.",
  ],
  hint: HINT,
  byHand: "Take the checkpoint at which learning stopped, change what the message names, and go on from there.",
  lookAlikes: {
    flat_reward_no_learning: "there nothing ever rose",
    all_correct_saturated: "there nearly every group is right and ties",
    healthy: "the last tenth of a run that is solved is flat",
  },
  taughtBy: "long runs of GRPO: the reward rises for a fifth of the train steps and is flat for the rest",
  check(view): Found | null {
    return ofSpentRate(view) ?? (isReinforcement(view) ? standsStill(view) : null);
  },
});

/** What it has learned it has learned before its learning rate was 0: the rest of the run cannot teach it. */
function ofSpentRate(view: RunView): Found | null {
  const idle = idleFrom(view) ?? spentFrom(view), step = view.trainSteps[idle ?? -1];
  if (idle === null || step === undefined) return null;
  const rate = view.column("learning_rate")[idle]!;
  for (const [column, sign] of [["reward", 1], ["reward_margin", 1], ["loss", -1]] as const) {
    if (column === "loss" && isReinforcement(view)) continue;
    const found = courseOf(view, column);
    if (found === null) continue;
    const then = levelNear(found, view.trainSteps, step), rise = sign * (then - found.levels[0]!.value);
    if (rise <= Math.max(LEARNED * errorOf(found), GAINED * spanOf(found))) continue;
    const [first, last] = [found.records[0]!, found.records.at(-1)!];
    return {
      trainSteps: view.stepsFrom(idle),
      trend: true,
      message: `The learning rate is ${rate === 0 ? "0" : `down to ${show(rate)}`} since train step ${step} (${
        percent(Math.round(100 * (1 - idle / view.records)) / 100)
      } of the run): ${column} went from about ${show(found.levels[0]!.value)} to ${show(then)} before and is ${
        show(found.end)
      } at the end`,
      evidence: [
        view.evidence("learning_rate", first),
        view.evidence("learning_rate", idle),
        view.evidence(column, first),
        view.evidence(column, last),
      ],
      hint: RATE_HINT,
      byHand: RATE_HINT,
      ruledOut: { learning_rate_zero: "it has been above 0, and the run has learned" },
    };
  }
  return null;
}

/** Nothing rises for half of the run. */
function standsStill(view: RunView): Found | null {
  const signals = [...aims(view), ...(truths(view).length > 0 ? [paid(view)] : [])].flatMap((one) => one ?? []);
  if (signals.length === 0 || trainsSteps(view) < STEPS || signals.some(({ course }) => course.levels.length < FEW)) {
    return null;
  }
  // What scatters too widely to be shown flat is no witness.
  const judged = signals.filter(({ course }) =>
    course.levels.length >= LEVELS && errorOf(course) <= WIDEST * spanOf(course)
  );
  const best = judged[0];
  if (best === undefined || !view.imported && nearlySolved(view)) return null;
  const stops = judged.map((signal) => ({ signal, course: signal.course, at: stopOf(signal.course) }));
  const last = stops.toSorted((a, b) => shareAt(b) - shareAt(a))[0]!, share = 1 - shareAt(last);
  if (share < FLAT || !stops.some(hasRisen)) return null;
  const trainStep = last.signal.trainSteps[last.course.levels[last.at]!.from]!;
  if (signals.some((signal) => moves(signal, trainStep))) return null;
  // What is said is what was judged, over the same levels: "nothing rises" beside a rise before them would contradict itself.
  const why = whyOf(view, trainStep), gain = sinceStop(best, trainStep);
  // Of several functions that are paid the top of the sum is not known: what the task wants is near its own.
  const isLearned = [best, ...truths(view)].some(({ course }) => heightOf(course) >= MOSTLY_SOLVED);
  if (judged.some((signal) => climbs(signal, trainStep, why === null ? CLIMBS : CLIMBS_CLEARLY))) return null;
  // Where something says why, the curve need not say it alone: a run that has learned what it can is flat as well.
  if (
    why === null &&
    (share < LONG || isLearned || errorOf(best.course) > SPAN * spanOf(best.course))
  ) {
    return null;
  }
  return {
    trainSteps: view.stepsFrom(Math.max(0, view.trainSteps.findIndex((step) => step >= trainStep))),
    trend: true,
    ...(why !== null && isLearned ? { severity: "info" as const } : {}),
    message: `Nothing rises since train step ${trainStep} (${percent(Math.round(100 * share) / 100)} of the run): ${
      gainText({ signal: best, since: gain })
    }${why === null ? "" : `; ${why.text}`}`,
    ...(why === null ? { alone: "nothing that is printed says why" } : {}),
    evidence: [
      best.evidence(best.course.records[0]!),
      ...gainEvidence({ signal: best }, trainStep),
      ...(why?.evidence ?? []),
    ],
    // Where the message names nothing to change, nothing but the hint is to be done.
    ...(why === null
      ? { confirm: "evaluate held-out prompts: they may have stopped too", byHand: HINT }
      : { hint: why.hint }),
    ruledOut: { flat_reward_no_learning: "it has risen before" },
  };
}

/** A signal and the level from which on it stands still. */
interface Stop {
  readonly course: Course;
  readonly at: number;
}

/** True if a line through the levels from a train step on leads upwards, beyond chance: slow, but it is learning. */
function climbs({ course, trainSteps }: Signal, trainStep: number, errors: number): boolean {
  // The first levels may still be the end of the rise: a stop lies a little below the top.
  const tail = course.levels.filter(({ from }) => trainSteps[from]! >= trainStep).slice(course.width);
  const middle = (tail.length - 1) / 2, centre = mean(tail.map(({ value }) => value));
  let [spread, slope] = [0, 0];
  tail.forEach(({ value }, i) => {
    spread += (i - middle) ** 2;
    slope += (i - middle) * (value - centre);
  });
  return spread > 0 && slope / Math.sqrt(spread) > errors * course.noise;
}

/** How a signal went to the end from the levels that begin at a train step. */
function sinceStop(signal: Signal, trainStep: number) {
  const { levels, width } = signal.course;
  const found = levels.findIndex(({ from }) => signal.trainSteps[from]! >= trainStep);
  const at = Math.max(0, Math.min(found < 0 ? levels.length : found, levels.length - width));
  return sinceLevel(signal, levelOver(levels, at, at + width));
}

/** True if a signal has risen since then, or lost a part of what it has spanned. */
function moves(signal: Signal, trainStep: number): boolean {
  const { course } = signal, { by } = sinceStop(signal, trainStep), direction = directionOf(course, by);
  return direction === "rises" || direction === "falls" && -by > WIDEST * spanOf(course);
}

/** Index of the level from which on no later one is shown, or may be, higher. */
function stopOf(course: Course): number {
  const { levels, width } = course, least = SPAN * spanOf(course);
  for (let at = 0; at + width <= levels.length; at++) {
    const level = levelOver(levels, at, at + width);
    let top = -Infinity;
    for (let to = at + 2 * width; to <= levels.length; to++) top = Math.max(top, levelOver(levels, to - width, to));
    if (top - level <= least) return at;
  }
  return levels.length - 1;
}

/** Share of the run that lies before a level. */
const shareAt = ({ course, at }: Stop) => at / course.levels.length;

function hasRisen({ course, at }: Stop): boolean {
  const to = levelOver(course.levels, at, Math.min(course.levels.length, at + course.width));
  const least = GAINED * spanOf(course), first = course.levels[0]!.value;
  return to - course.start > Math.max(ROSE * errorOf(course), least) ||
    to - first > Math.max(ROSE * errorOf(course, 1), least);
}

/** What else stands where it can no longer teach. */
function whyOf(view: RunView, trainStep: number): Why | null {
  const end = (name: string) => {
    const course = courseOf(view, name);
    return course &&
      { value: course.end, high: extreme(course).value, evidence: [view.evidence(name, course.records.at(-1)!)] };
  };
  const tied = end("zero_spread_fraction"), cut = end("truncated_fraction"), entropy = end("entropy");
  const rate = end("learning_rate"), reward = paid(view);
  if (tied !== null && tied.value >= TIED) {
    const right = reward !== null && (view.finite("accuracy").at(-1) ?? 0) >= NEARLY_SOLVED;
    return {
      text: `in ${percent(tied.value)} of the groups all completions get the same reward`,
      evidence: tied.evidence,
      hint: right
        ? "Stop here, or continue with harder prompts."
        : "Use prompts of mixed difficulty: those that are solved or never solved teach nothing.",
    };
  }
  if (entropy !== null && entropy.value <= NO_ENTROPY * entropy.high) {
    return {
      text: `the entropy is down to ${show(entropy.value)} of ${show(entropy.high)} nats per token`,
      evidence: entropy.evidence,
      hint: "Go back to a checkpoint with entropy; raise the upper clip or lower the learning rate.",
    };
  }
  if (cut !== null && cut.value >= CUT) {
    return {
      text: `${percent(cut.value)} of the completions are cut at the length cap`,
      evidence: cut.evidence,
      hint: "Raise the length cap: the answers no longer fit.",
    };
  }
  const spent = view.column("learning_rate").findIndex((value, record) =>
    rate !== null && value !== null && view.trainSteps[record]! >= trainStep && value <= SPENT * rate.high
  );
  if (rate !== null && rate.high > 0 && !isOfFewDigits(view) && rate.value <= SPENT * rate.high && spent >= 0) {
    return {
      text: `the learning rate is down to ${show(rate.value)} since train step ${view.trainSteps[spent]}`,
      evidence: [view.evidence("learning_rate", spent)],
      hint: RATE_HINT,
    };
  }
  return null;
}
