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
/** Times that a distance falls to 1/e within the points of a curve that settles. */
const RATES = Array.from({ length: 20 }, (_, i) => 0.25 * 1.25 ** i);
/** Squared errors, in those of the line, at which a curve explains as well: one value more of it gains as much by chance. */
const AS_WELL = 1.1;
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
 * within noise, leads away from the border, slows down or settles before it, or would need more train steps than the run has had; and where
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
  if (settles(smoothed(all.slice(-2 * tail.length)), border, Math.sign(slope))) return null;
  const ahead = Math.abs(way) / pace, latest = Math.abs(way) / (pace - RANGE * error);
  if (latest > TRUSTED * (last - trainSteps[levels[0]!.from]!)) return null;
  return { trainStep: Math.ceil(last + ahead), latest: Math.ceil(last + latest), doubling: Math.LN2 / pace };
}

/**
 * True where a curve that settles on this side of the border explains the points as well as the line in logarithms does:
 * y = limit + size exp(-rate t), for each rate by least squares of relative errors, of which the line is that with limit 0.
 */
function settles(points: readonly Point[], border: number, sign: number): boolean {
  const from = points[0]!.at, span = points.at(-1)!.at - from;
  const line = fitOf(points.map(({ at, log }) => ({ x: at, y: log, weight: 1 })));
  return RATES.some((rate) => {
    const curve = fitOf(points.map(({ at, log }) => ({
      x: Math.exp(-rate * (at - from) / span),
      y: Math.exp(log),
      weight: Math.exp(-2 * log),
    })));
    return sign * (border - curve.limit) > 0 && curve.misfit <= AS_WELL * line.misfit;
  });
}

/** Each point as the middle one of itself and its neighbours: a spike among the levels is none of the curve. */
function smoothed(points: readonly Point[]): Point[] {
  return points.slice(1, -1).map(({ at }, i) => ({ at, log: median(points.slice(i, i + 3).map(({ log }) => log)) }));
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly weight: number;
}

/** The weighted least-squares line: its value at 0 and its squared error. */
function fitOf(places: readonly Place[]): { readonly limit: number; readonly misfit: number } {
  const sum = (of: (place: Place) => number) => places.reduce((all, place) => all + place.weight * of(place), 0);
  const all = sum(() => 1), x = sum((place) => place.x) / all, y = sum((place) => place.y) / all;
  const slope = sum((place) => (place.x - x) * (place.y - y)) / sum((place) => (place.x - x) ** 2);
  const limit = y - slope * x;
  return { limit, misfit: sum((place) => (place.y - limit - slope * place.x) ** 2) };
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
