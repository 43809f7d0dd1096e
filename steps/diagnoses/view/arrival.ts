/**
 * When a course that goes on as it does will reach a border: a warning before the error.
 *
 * What decays or grows by a factor is a line in its logarithm. Its slope over the last third is the median of the slopes
 * between all pairs of levels (Theil and Sen), which a spike or a step of the schedule among them does not turn; its
 * standard error is that of a least-squares line through levels of the noise that the whole course has.
 * @module
 */
import { type Course, noiseOf } from "./course.ts";
import { isNumber, median } from "./numbers.ts";
import { settingNumber } from "./settings.ts";
import type { RunView } from "./run_view.ts";

const TAIL = 1 / 3; // Of the levels: what counts is how it goes now.
const LEAST = 5; // Levels through which a line is laid.
const SURE = 4; // Standard errors that the slope must have.
const RANGE = 2; // Standard errors of the slope between which it is believed to lie.
const SLOWS = 0.6; // Share of its pace of before that the second half of the tail must keep: else the course is settling.
/** Lengths of the run so far within which a line is believed to go on. */
const TRUSTED = 1;

/** A border ahead. */
interface Arrival {
  /** Train step at which the line crosses the border, and the latest that is as likely as not to be by chance. */
  readonly trainStep: number;
  readonly latest: number;
  /** Train steps in which the value doubles or halves. */
  readonly doubling: number;
}

/**
 * The arrival of a course at a border above or below its end; `trainSteps` are of its records. Null where the slope is
 * within noise, leads away from the border, slows down, or would need more train steps than the run has had; and where
 * values are not above 0 or train steps go back.
 */
export function arrivalAt({ levels }: Course, trainSteps: readonly number[], border: number): Arrival | null {
  const all = levels.map(({ from, to, value }) => ({
    at: (trainSteps[from]! + trainSteps[to]!) / 2,
    log: Math.log(value),
  }));
  const isUsable = all.every(({ at, log }, i) => Number.isFinite(log) && (i === 0 || at > all[i - 1]!.at));
  const tail = all.slice(-Math.max(LEAST, Math.round(TAIL * all.length)));
  if (!isUsable || tail.length < LEAST || all.length <= LEAST || !(border > 0)) return null;
  const slope = slopeOf(tail), error = noiseOf(all.map(({ log }) => log)) / Math.sqrt(spreadOf(tail));
  const last = trainSteps[levels.at(-1)!.to]!, now = median(tail.map(({ at, log }) => log + slope * (last - at)));
  const way = Math.log(border) - now, pace = Math.abs(slope);
  const half = Math.floor(tail.length / 2);
  const keeps = slopeOf(tail.slice(half)) / slopeOf(tail.slice(0, tail.length - half));
  if (pace <= SURE * error || Math.sign(way) !== Math.sign(slope) || !(keeps >= SLOWS)) return null;
  const ahead = Math.abs(way) / pace, latest = Math.abs(way) / (pace - RANGE * error);
  if (latest > TRUSTED * (last - trainSteps[levels[0]!.from]!)) return null;
  return { trainStep: Math.ceil(last + ahead), latest: Math.ceil(last + latest), doubling: Math.LN2 / pace };
}

type Point = { readonly at: number; readonly log: number };

function slopeOf(points: readonly Point[]): number {
  return median(
    points.flatMap((one, i) => points.slice(i + 1).map((other) => (other.log - one.log) / (other.at - one.at))),
  );
}

/** Sum of the squared distances from the mean time. */
function spreadOf(points: readonly Point[]): number {
  const mean = points.reduce((sum, { at }) => sum + at, 0) / points.length;
  return points.reduce((sum, { at }) => sum + (at - mean) ** 2, 0);
}

/** Train steps that the run is to have: by its configuration, else by its epochs; null where neither says. */
export function plannedSteps(view: RunView): number | null {
  const steps = settingNumber(view, "train_steps");
  if (steps !== null && steps > 0) return steps;
  const epochs = settingNumber(view, "epochs"), epoch = view.column("epoch"), at = epoch.findLastIndex(isNumber);
  const done = epoch[at] ?? 0;
  return epochs === null || !view.stepsPrinted || done <= 0 ? null : Math.round(view.trainSteps[at]! * epochs / done);
}

/** "; it halves every 40 train steps, at that rate below 0.02 in about 90"; empty where the run ends before that. */
export function arrivalText(view: RunView, course: Course, border: number): string {
  const found = arrivalAt(course, view.trainSteps, border), last = view.trainSteps.at(-1)!;
  const planned = found === null ? null : plannedSteps(view);
  if (found === null || planned !== null && found.trainStep > planned) return "";
  const falls = border < course.end;
  const about = (steps: number) => Number(Math.max(1, steps).toPrecision(2));
  return `; it ${falls ? "halves" : "doubles"} every ${about(found.doubling)} train steps, at that rate ${
    falls ? "below" : "above"
  } ${border} in about ${about(found.trainStep - last)}${
    planned === null ? "" : ` of the ${planned - last} that are left`
  }`;
}
