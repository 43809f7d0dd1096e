/** What training on preferences shows over a long run: the rewards of its pairs, and what was held out. @module */
import { type Course, course, errorOf, extreme, levelOver } from "./course.ts";
import type { Cells } from "./numbers.ts";
import type { RunView } from "./run_view.ts";
import { settingNumber } from "./settings.ts";

/** The margin as printed, or as it follows from its two rewards; `name` is the column that shows it. */
export function marginsOf(view: RunView): { readonly name: string; readonly margins: Cells } {
  return { name: "reward_margin", margins: view.column("reward_margin") };
}

/** The course of the margin; null where the run is too short for one. */
export function marginCourse(view: RunView): Course | null {
  return view.memo("course of margins", () => {
    const { name, margins } = marginsOf(view);
    return course(name, margins);
  });
}

/** The course of a column of evaluation records, whose records these are; null below five of them. */
export function heldOutCourse(view: RunView, column: string): Course | null {
  return view.memo(`held-out course ${column}`, () => course(column, view.evaluation(column), 1));
}

/** A held-out loss that ends above its best level. */
interface Turn {
  readonly held: Course;
  readonly best: ReturnType<typeof extreme>;
  /** By how much its end lies above its best level. */
  readonly rise: number;
}

/** The held-out loss where it has left its best for good; null where it lies within so many standard errors of it. */
export function heldOutTurn(view: RunView, errors: number): Turn | null {
  const held = heldOutCourse(view, "loss");
  if (held === null) return null;
  const best = extreme(held, -1), rise = held.end - best.value;
  return rise > errors * errorOf(held) ? { held, best, rise } : null;
}

/** Levels that are the very end of a course: a mean over a sixth of the run lags behind what moves. */
const NOW = 2;

/** The level at the very end. */
export function latest({ levels }: Course): number {
  return levelOver(levels, levels.length - NOW, levels.length);
}

/** Standard error of the distance between that and a mean of as many levels as a course's ends have. */
export function latestError(course: Course): number {
  return errorOf(course, NOW);
}

/** The level of a course around a train step: the mean of as many levels as its ends have. `trainSteps` are of its records. */
export function levelNear({ levels, width }: Course, trainSteps: readonly number[], trainStep: number): number {
  const found = levels.findIndex(({ to }) => trainSteps[to]! >= trainStep);
  const middle = found < 0 ? levels.length - 1 : found;
  const from = Math.max(0, Math.min(levels.length - width, middle - Math.floor(width / 2)));
  return levelOver(levels, from, from + width);
}

/** Pairs of which an accuracy is printed at least: those of an update; null where the log does not say. */
export function pairsOf(view: RunView): number | null {
  const device = settingNumber(view, "device_batch_size"), passes = settingNumber(view, "gradient_accumulation") ?? 1;
  return device !== null && device > 0 && passes > 0 ? device * passes : null;
}
