/**
 * What a run is for, and whether it gets any nearer to it: the consequence that makes a trend a fault.
 *
 * The truth is what no reward pays for or what the task itself wants: held-out scores before the accuracy, before a reward
 * function that names the goal. What is paid is the total reward.
 * @module
 */
import { type Course, course, courseOf, errorOf, extreme, levelOver } from "./course.ts";
import type { Evidence } from "./evidence.ts";
import { rewardFunctions } from "./rewards.ts";
import type { RunView } from "./run_view.ts";
import { scoreEvidence, scores } from "./scores.ts";

/** Evaluations that have a course of their own. */
const EVALUATIONS = 5;
/** Standard errors of a change, and share of what the run has spanned, below which it is none. */
const SURE = 2.5, SPAN = 0.12;
/** Share of the scale below which a change is none, however sure. */
const NOTHING = 0.01;

/** One thing that should rise. */
interface Signal {
  readonly name: string;
  readonly kind: "held out" | "goal" | "reward";
  readonly course: Course;
  /** Train steps of the records of its course. */
  readonly trainSteps: readonly number[];
  readonly evidence: (record: number) => Evidence;
}

type Direction = "rises" | "flat" | "falls";

/** What a signal has done since a train step. */
interface Since {
  readonly from: number;
  readonly to: number;
  readonly by: number;
  readonly direction: Direction;
}

/** Held-out scores and goals, best witness first; none where only a total reward is printed. */
export function truths(view: RunView): readonly Signal[] {
  return view.memo("truths", () => [...heldOut(view), ...goals(view)]);
}

/** The total reward. */
export function paid(view: RunView): Signal | null {
  return view.memo("paid", () => onRecords(view, "reward", "reward", "the reward"));
}

/** What the run is judged by: the truth, else the reward. */
export function aims(view: RunView): readonly Signal[] {
  const reward = paid(view);
  return truths(view).length > 0 || reward === null ? truths(view) : [reward];
}

function onRecords(view: RunView, column: string, kind: Signal["kind"], name: string): Signal | null {
  const found = courseOf(view, column);
  return found && {
    name,
    kind,
    course: found,
    trainSteps: view.trainSteps,
    evidence: (record) => view.evidence(column, record),
  };
}

function goals(view: RunView): Signal[] {
  const functions = rewardFunctions(view);
  // One function alone is the total reward by another name.
  const named = functions.filter(({ kind }) => kind === "goal");
  const columns = [
    ...(view.has("accuracy") ? ["accuracy"] : []),
    ...(functions.length > 1 && named.length < functions.length ? named.map(({ column }) => column) : []),
  ];
  return columns.flatMap((column) => onRecords(view, column, "goal", column.replace(/^reward\./, "")) ?? []);
}

function heldOut(view: RunView): Signal[] {
  return scores(view).flatMap((series) => {
    const found = series.values.length < EVALUATIONS ? null : course(series.name, series.values, 1);
    return found === null ? [] : [{
      name: series.split === null ? series.name : `the ${series.split.replace("_", "-")} score`,
      kind: "held out" as const,
      course: found,
      trainSteps: series.trainSteps,
      evidence: (record: number) => scoreEvidence(series, record),
    }];
  });
}

/** How a signal went from a train step to the end. */
export function since(signal: Signal, trainStep: number): Since {
  const { course, trainSteps } = signal, { levels, width } = course;
  const found = levels.findIndex(({ to }) => trainSteps[to]! >= trainStep);
  const at = Math.min(found < 0 ? levels.length - 1 : found, levels.length - 1);
  const before = Math.max(0, Math.min(at, levels.length - width));
  const from = levelOver(levels, Math.max(0, before - 1), Math.min(levels.length, before + width - 1));
  const by = course.end - from;
  return { from, to: course.end, by, direction: directionOf(course, by) };
}

/** Whether a change between two levels of a course is one. */
function directionOf(course: Course, by: number): Direction {
  const span = extreme(course).value - extreme(course, -1).value;
  const scale = Math.max(...course.levels.map(({ value }) => Math.abs(value)));
  const least = Math.max(SURE * errorOf(course), SPAN * span, NOTHING * scale);
  return Math.abs(by) <= least ? "flat" : by > 0 ? "rises" : "falls";
}
