/** Cause `reward_imbalance`: one reward function drowns the others. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { type Course, courseOf, crossing, departure, errorOf, extreme, sigmaOf } from "./view/course.ts";
import { isReinforcement } from "./view/groups.ts";
import { trainsSteps } from "./view/learning_rate.ts";
import { median, percent, show, written } from "./view/numbers.ts";
import { type Gain, gainEvidence, gainSince, gainText, heightSpan, spanOf } from "./view/progress.ts";
import { goalsOf, rewardFunctions } from "./view/rewards.ts";
import type { RunView } from "./view/run_view.ts";

const SHARE = 0.8; // Of the variance that all functions have.
const NEARLY_ALL = 0.85; // The same of a function that goes nowhere.
const SATURATED = 0.9; // Share of its highest level at which a function has nothing more to give.
/** Standard errors by which the loud one has risen; shares of its scale that the goal may rise by and be still, by chance and beyond it. */
const ROSE = 4, STILL = 0.1, HARDLY = 0.04;
const LOW = 0.3; // Share of its scale above the floor up to which a goal is near it.
/** From this share of the variance on half as many train steps show it, and a goal that is half learned is drowned as well. */
const DEAFENING = 0.95, HALF_LEARNED = 0.6;
const STEPS = 150; // Train steps in which a goal that is learned after the format has begun to move.

export default defineDiagnosis({
  codes: ["R10"],
  wastes: "wrong",
  severity: "warning",
  applies: isReinforcement,
  about: "One reward function drowns another: the run learns what is loud, and the goal stands still.",
  reads: ["reward.<name>", "reward_std.<name>", "settings.reward_weights"],
  decision:
    written`Of two or more reward functions that are printed apart one rises by ${ROSE} standard errors and has ${SHARE} % of the variance of all (its deviation squared, by its weight), in ${STEPS} train steps and more, or has been at ${SATURATED} % of its highest level for as many, while the goal stays where it began, within ${LOW} % of its scale above the floor: it moves by less than ${STILL} of its scale over the run (at ${DEAFENING} % of the variance within ${HALF_LEARNED} %, and in half as many train steps); or one has ${NEARLY_ALL} % of the variance and goes nowhere while nothing that the run is for has risen.`,
  hint:
    "Bring the functions to one scale (reward_weights, or normalise each), or gate the loud one: pay it only where the goal is met.",
  byHand: "Weigh the loud reward down until the goal's has the larger deviation.",
  lookAlikes: {
    reward_hacking: "there the goal falls",
    format_reward_never_fires: "there the quiet one is a format that no completion has",
    all_incorrect_reward_floor: "there no reward has spread",
  },
  taughtBy: "long runs of GRPO: a quality score from 3 to 16 beside an accuracy that stays at 0.14",
  check(view): Found | null {
    const functions = rewardFunctions(view), goals = goalsOf(view);
    if (functions.length < 2 || goals.length === 0 || trainsSteps(view) < STEPS / 2) return null;
    // Where nothing was ever right there is no quiet reward that another could drown.
    const isForm = functions.every(({ kind }) => kind !== "shape");
    if (isForm && goals.every(({ values }) => values.every((value) => value === 0))) return null;
    const weights = variances(view);
    const all = [...weights.values()].reduce((sum, value) => sum + value, 0);
    const drowned = drownedIn(view, weights, all);
    if (drowned !== null) return drowned;
    const loud = functions.filter(({ kind }) => kind !== "goal").flatMap((entry) => {
      const course = courseOf(view, entry.column);
      if (course === null || sigmaOf(course) < ROSE) return [];
      const share = all > 0 && weights.has(entry.name) ? weights.get(entry.name)! / all : null;
      const full = isFull(view, course);
      return share !== null && share >= SHARE || full ? [{ entry, course, share }] : [];
    }).toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0))[0];
    if (loud === undefined) return null;
    const { entry, course, share } = loud, isDeafening = share !== null && share >= DEAFENING;
    const still = goals.flatMap((goal) => stillOf(view, goal.column, isDeafening ? HALF_LEARNED : LOW) ?? []);
    if (still.length < goals.length || trainsSteps(view) < (isDeafening ? STEPS / 2 : STEPS)) return null;
    const goal = still[0]!;
    const at = course.levels[departure(course, course.start, course.end)]!.from;
    return {
      trainSteps: view.stepsFrom(at),
      trend: true,
      message: `${entry.name} went from about ${show(course.start)} to ${show(course.end)}${
        share === null || share < SHARE ? "" : ` and has ${percent(share)} of the variance`
      }, ${goal.column.replace(/^reward\./, "")} stays at ${show(goal.end)}`,
      evidence: [
        view.evidence(entry.column, course.records[0]!),
        view.evidence(entry.column, course.records.at(-1)!),
        view.evidence(goal.column, goal.records[0]!),
        view.evidence(goal.column, goal.records.at(-1)!),
      ],
      ruledOut: { reward_hacking: "the goal does not fall" },
      // That it has nothing more to give may be because it is learned: whether it is loud, its deviation says.
      ...(share === null || share < SHARE ? { confirm: "print the deviation of each reward function" } : {}),
    };
  },
});

/** One function has nearly all of the variance and goes nowhere, and no goal has risen: what is learned from is noise. */
function drownedIn(view: RunView, weights: ReadonlyMap<string, number>, all: number): Found | null {
  for (const { name, column, kind } of rewardFunctions(view)) {
    const share = kind === "goal" || all === 0 ? 0 : (weights.get(name) ?? 0) / all, course = courseOf(view, column);
    if (share < NEARLY_ALL || course === null || Math.abs(sigmaOf(course)) > ROSE) continue;
    const gain = gainSince(view, view.trainSteps[0]!);
    if (gain === null || !gain.still || !isBounded(gain, share)) return null;
    return {
      severity: "error",
      trainSteps: view.stepsFrom(0),
      trend: true,
      message: `${name} has ${percent(share)} of the variance of all rewards and goes nowhere (about ${
        show(course.start)
      } to ${show(course.end)}), and ${gainText(gain)}`,
      evidence: [
        view.evidence(`reward_std.${name}`, course.records[0]!),
        view.evidence(column, course.records.at(-1)!),
        ...gainEvidence(gain, view.trainSteps[0]!),
      ],
      ruledOut: { reward_hacking: `${name} does not rise` },
    };
  }
  return null;
}

/** What the run is for is shown to have moved by little, if at all: up by less than a share of its scale, with two errors. */
function isBounded({ signal: { course }, since: { by, direction } }: Gain, share: number): boolean {
  return direction !== "open" || share >= DEAFENING && by + 2 * errorOf(course) <= STILL * heightSpan(course);
}

/** A function has had nothing more to give for as long as a goal that is learned after it takes to move. */
function isFull(view: RunView, course: Course): boolean {
  const most = extreme(course).value, at = most > 0 ? crossing(course, SATURATED * most) : -1;
  return at >= 0 && view.trainSteps.at(-1)! - view.trainSteps[course.levels[at]!.from]! >= STEPS;
}

/** The variance that each function brings into a batch, where its deviation is printed. */
function variances(view: RunView): Map<string, number> {
  return new Map(
    rewardFunctions(view).flatMap(({ name }) => {
      const deviations = view.finite(`reward_std.${name}`);
      return deviations.length === 0 ? [] : [[name, median(deviations) ** 2] as const];
    }),
  );
}

/** The course of a goal that ends where it began, near the floor. */
function stillOf(view: RunView, column: string, low: number) {
  const course = courseOf(view, column);
  if (course === null) return null;
  const floor = Math.min(0, ...course.values), scale = Math.max(1, Math.max(...course.values) - floor);
  if (course.end > floor + low * scale) return null;
  const moves = sigmaOf(course) > ROSE && course.end - course.start > HARDLY * scale;
  return !moves && Math.abs(course.end - course.start) <= STILL * scale && spanOf(course) <= 2 * STILL * scale
    ? course
    : null;
}
