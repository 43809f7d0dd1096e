/** Cause `kl_explosion`: the KL to the reference grows to huge values. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { MORE_KL, SMALLER_STEPS } from "./remedies/often.ts";
import { ends, gain, LATE, median, recordsOf, ROUNDING, show, TREND_VALUES, written } from "./view/numbers.ts";
import { shareVariance } from "./view/falls.ts";
import { isReinforcement } from "./view/groups.ts";
import { nearlySolved } from "./view/rewards.ts";
import { scores } from "./view/scores.ts";
import { arrivalText } from "./view/arrival.ts";
import {
  type Course,
  COURSE_VALUES,
  courseOf,
  crossing,
  errorOf,
  extreme,
  levelsSince,
  noiseOf,
  sigmaOf,
} from "./view/course.ts";
import { aims, directionOf, gainEvidence, gainSince, gainText, paid, type Signal, since } from "./view/progress.ts";
import { onsetOfSize } from "./view/onset.ts";
import { startsAtBeginning } from "./view/start.ts";
import type { RunView } from "./view/run_view.ts";

/** At 0.5 nat per token a completion of 20 tokens is e^10 times less likely under the reference. */
const LARGE = 0.5, WARN = 0.1;
const ABSURD = 10, OUTLIERS = 1e3; // No drift of a working policy reaches this per token, whatever the reward does.
const TIMES = 5, DOUBLINGS = 8; // Times the first level that make an explosion, and three doublings, which make a note.
/** Of a long run: nats per token at its end, times its first level, share of the end from which it is judged. */
const SLOW_LARGE = 0.3, SLOW_TIMES = 8, EARLY = 0.2;
const SURE = 4, SINCE = 3; // Standard errors of the growth, and stretches in which nothing has risen.
const MANY = 100; // Records in which a KL that has just left 0 has got slower again.
const AT_RISK = 0.15, QUICK = 3, LATELY = 6; // Nats per token at risk; times that it has grown within so many stretches.
const LEAST_EARLY = 1e-4, LEAST = 1e-3; // First levels below these are rounding.
const NO_GAIN = 0.02; // Share of the reward's scale that is no gain.
const RECORDS = 8, NOTE = 20; // Records that show growth, and those that show it under a flat reward.
const OWN_RECORDS = 16; // A run of ours prints every train step: its reward needs some of them to show that it rises.
/** A drift that has bought nothing yet is no note: rewards of the first dozens of train steps are noise. */
const OWN_NOTE = 100;

export default defineDiagnosis({
  codes: ["K01"],
  wastes: "wrong",
  applies: isReinforcement,
  about:
    "The policy runs away from its reference: the KL per token grows to huge values without reward to show for it.",
  reads: ["kl", "kl_max", "reward"],
  decision:
    written`The KL starts small and its median over the last quarter is above ${LARGE} nat per token and at least ${TIMES} times the first quarter's, while the reward does not rise, the held-out score did not and the goal is not nearly reached; or it is above ${ABSURD} nats per token at any reward; or its largest value is above ${OUTLIERS} times its mean (outlier tokens). Over a long run also where it is above ${SLOW_LARGE}, ${SLOW_TIMES} times its first level and ${SURE} standard errors above it, and since ${EARLY} % of it was there (and ${WARN}) nothing that the run is for rises, nor what is paid, a warning up to ${LARGE} and where nothing falls, and begins above ${WARN} with the first stretch since which nothing rises; a warning also where it has grown ${QUICK} times within ${LATELY} stretches of the run to more than ${AT_RISK} and by ${SURE} standard errors while nothing rose. Above ${WARN} with at least three doublings and a flat reward on ${NOTE} records (in a run of ours ${OWN_NOTE}) it is a note.`,
  spoils: true,
  hint: "Go back to a checkpoint before the growth; raise the KL weight or lower the learning rate.",
  remedy: [...MORE_KL, SMALLER_STEPS],
  lookAlikes: {
    wrong_reference_model: "there the KL is high in the first record already",
    rollout_trainer_mismatch: "there the first record has a KL of 100 and more",
    healthy: "a policy that has learned lies far from where it began: there the score rose",
  },
  taughtBy: "torchforge: kl_divergence_mean 1,568,987.96 with a maximum 4300 times as large",
  check(view): Found | null {
    const known = recordsOf(view.column("kl")), values = view.finite("kl");
    if (values.length === 0) return null;
    const growth = growthOf(view, values), { early, late, begins, by, top } = growth;
    const { outliers, isError, isNote } = judge(view, values, growth);
    const slow = isError ? null : slowly(view);
    if (slow !== null) return slow;
    if (!isError && !isNote) return null;
    const from = onsetIn(view, values, isError ? LARGE : WARN), last = known.at(-1)!;
    return {
      severity: isError && !nearlySolved(view) ? "error" : "info",
      trainSteps: view.stepsAt(known.slice(from)),
      ...(values.length >= COURSE_VALUES && begins ? { trend: true } : {}),
      message: outliers
        ? `The KL is ${show(median(values))} nats per token with a maximum of ${show(top)}: a few tokens dominate`
        : `The KL ${values.length > 1 ? `went from ${show(early)} to` : "is"} ${show(late)} nats per token${
          by === null ? "" : ` while the reward changed by ${show(by)}`
        }`,
      evidence: [
        view.evidence("kl", known[0]!),
        ...(from > 0 ? [view.evidence("kl", known[from]!)] : []),
        ...(known.length > 1 && from < known.length - 1 ? [view.evidence("kl", last)] : []),
        ...(top === null ? [] : [view.evidence("kl_max", last)]),
        ...(view.finite("reward").length > 0 ? [view.evidence("reward", last)] : []),
      ],
      ruledOut: begins
        ? { wrong_reference_model: `the first record has ${show(values[0])}` }
        : { rollout_trainer_mismatch: "cannot be told apart without the run's first record" },
    };
  },
});

/**
 * Index of the value with which it begins: every policy leaves its reference, so the growth itself says nothing. Over a long
 * run it is where the KL is beyond the border for good and nothing that the run is for rises any more.
 */
function onsetIn(view: RunView, values: readonly number[], border: number): number {
  const course = view.isWhole ? courseOf(view, "kl") : null, beyond = course === null ? -1 : crossing(course, border);
  if (course === null || beyond < 0) return onsetOfSize(values);
  const level = stopsBuying(view, course, beyond, course.levels.length) ?? beyond;
  const first = course.records.indexOf(course.levels[level]!.from);
  return Math.max(first, values.findIndex((value, at) => at >= first && value >= border));
}

/** The first of some levels of the KL since which it buys nothing any more; null where it always does. */
function stopsBuying(view: RunView, { levels }: Course, from: number, to: number): number | null {
  for (let at = from; at < to; at++) {
    const trainStep = view.trainSteps[levels[at]!.from]!;
    const isStill = gainSince(view, trainStep)?.still === true && !isPaidFor(view, trainStep);
    if (isStill && !aims(view).some((aim) => isBestAhead(aim, trainStep))) return at;
  }
  return null;
}

/** It rises beyond chance to its best before it falls: until then the growth has bought something. */
function isBestAhead(aim: Signal, trainStep: number): boolean {
  const { from } = since(aim, trainStep), { course, trainSteps } = aim, best = extreme(course), by = best.value - from;
  return trainSteps[course.levels[best.at]!.to]! > trainStep && by >= SURE * errorOf(course) &&
    directionOf(course, by) === "rises";
}

/** First and last level of the KL, the largest value printed, and the reward's change where it shows one. */
function growthOf(view: RunView, values: readonly number[]) {
  // Of a KL that is told of the end alone the first value says nothing of the beginning.
  const isOfStart = recordsOf(view.column("kl"))[0]! <= view.records / 10;
  const begins = startsAtBeginning(view) && isOfStart, { first, last } = ends(values);
  // The first record of a run is before any update: growth within the first quarter counts too.
  const early = begins ? Math.min(values[0]!, median(first)) : median(first);
  const reward = view.finite("reward"), { by, error } = gain(reward), largest = view.finite("kl_max");
  const rising = by > Math.max(2 * error, NO_GAIN * Math.max(1, ...reward.map(Math.abs))) ||
    nearlySolved(view) || scoreRose(view);
  return {
    begins,
    early,
    late: median(last),
    rising,
    by: reward.length >= TREND_VALUES ? by : null,
    top: largest.length > 0 ? Math.max(...largest) : null,
  };
}

function judge(view: RunView, values: readonly number[], growth: ReturnType<typeof growthOf>) {
  const { early, late, begins, rising, by, top } = growth, usual = median(values);
  const outliers = top !== null && top > OUTLIERS * Math.max(usual, LEAST) && usual > 1;
  const absurd = median(values.slice(-LATE)) > ABSURD && !(begins && values[0]! > LARGE);
  const grown = values.length >= (view.imported ? RECORDS : OWN_RECORDS) && late > LARGE &&
    late > TIMES * Math.max(early, LEAST_EARLY) && !rising;
  const isNote = values.length >= (view.imported ? NOTE : OWN_NOTE) && late > WARN &&
    late > DOUBLINGS * Math.max(early, LEAST) && !rising && by !== null;
  return { outliers, isError: outliers || absurd || grown, isNote };
}

/** Over a long run: the KL has grown far beyond its first level, and since a fifth of it was there nothing has risen. */
function slowly(view: RunView): Found | null {
  const course = courseOf(view, "kl");
  if (course === null || nearlySolved(view) || scoreRose(view)) return null;
  if (course.now < SLOW_LARGE) return speeding(view, course);
  const early = Math.max(course.levels[0]!.value, LEAST);
  if (course.now < SLOW_TIMES * early || sigmaOf(course) < SURE && factorSigma(course, 0) < SURE) return null;
  const left = crossing(course, Math.max(EARLY * course.now, WARN));
  if (left < 0 || levelsSince(course, left) < SINCE) return speeding(view, course);
  const large = view.trainSteps[course.levels[left]!.from]!, then = gainSince(view, large);
  if (then === null || !then.still || isPaidFor(view, large)) return null;
  // What grows by factors is large late, and may have bought nothing for longer; or only since then, where it did at first.
  const begins = stopsBuying(view, course, crossing(course, WARN), course.levels.length) ?? left;
  const at = course.levels[begins]!.from, trainStep = view.trainSteps[at]!, gain = gainSince(view, trainStep)!;
  return {
    trainSteps: view.stepsFrom(at),
    trend: true,
    ...(then.falls && course.now > LARGE ? {} : { severity: "warning" }),
    message: `The KL went from ${show(early)} to ${
      show(course.now)
    } nats per token, and since train step ${trainStep} ${gainText(gain)}${arrivalText(view, course, LARGE)}`,
    evidence: [
      view.evidence("kl", course.records[0]!),
      view.evidence("kl", at),
      view.evidence("kl", course.records.at(-1)!),
      ...gainEvidence(gain, trainStep),
    ],
    ruledOut: { wrong_reference_model: `the run begins with ${show(course.levels[0]!.value)}` },
  };
}

/**
 * The growth since a level in standard errors of the logarithm: what grows by factors bends, and a bend counts as noise in
 * the values themselves.
 */
function factorSigma({ levels, now }: Course, from: number): number {
  const logs = levels.map(({ value }) => Math.log(Math.max(value, LEAST_EARLY)));
  return (Math.log(Math.max(now, LEAST_EARLY)) - logs[from]!) / Math.max(noiseOf(logs), ROUNDING);
}

/** The distance has bought what is paid: where nothing else has risen that is the reward's fault, not the distance's. */
function isPaidFor(view: RunView, trainStep: number): boolean {
  const reward = paid(view);
  return reward !== null && since(reward, trainStep).direction === "rises";
}

/** Well before it is large: the KL has multiplied within a few stretches of the run, and nothing has risen meanwhile. */
function speeding(view: RunView, course: Course): Found | null {
  const then = course.levels[course.levels.length - LATELY];
  if (then === undefined || course.values.length < MANY || course.now < AT_RISK) return null;
  const isSure = course.now - then.value >= SURE * errorOf(course) ||
    factorSigma(course, course.levels.length - LATELY) >= SURE;
  if (course.now < QUICK * Math.max(then.value, LEAST) || !isSure) return null;
  const trainStep = view.trainSteps[then.from]!, gain = gainSince(view, trainStep);
  if (gain === null || !gain.still || isPaidFor(view, trainStep)) return null;
  return {
    severity: "warning",
    trainSteps: view.stepsFrom(then.from),
    trend: true,
    message: `The KL has grown from ${show(then.value)} to ${
      show(course.now)
    } nats per token since train step ${trainStep} and gets faster, and ${gainText(gain)}${
      arrivalText(view, course, LARGE)
    }`,
    evidence: [
      view.evidence("kl", then.from),
      view.evidence("kl", course.records.at(-1)!),
      ...gainEvidence(gain, trainStep),
    ],
  };
}

/** The distance has bought something: a held-out score ends above its first value by two standard errors. */
function scoreRose(view: RunView): boolean {
  return scores(view).some(({ values, prompts }) => {
    if (prompts === null || values.length < 2) return false;
    const [first, last] = [values[0]!, values.at(-1)!];
    const variance = shareVariance(prompts);
    return last - first > 2 * Math.sqrt(2 * variance((first + last) / 2, 1));
  });
}
