/** A supervised loss that has left its best level for good, or never had one: what such a run ends as is no model of its texts. @module */
import { type Course, courseOf, departure, errorOf, noiseOf } from "./course.ts";
import { isPreference, isReinforcement } from "./groups.ts";
import { trainsSteps } from "./learning_rate.ts";
import { finiteOf, LATE, median, written } from "./numbers.ts";
import type { RunView } from "./run_view.ts";

/** A loss that is lost: so many times its best level and half a nat more, as of a break in the first updates. */
const DOUBLED = 2, MORE = 0.5;
const CERTAIN = 6; // Standard errors of that distance: bad batches, and noise with a memory, are within them.
/** Levels at the end that all lie there, an eighth of a long run: a spike that is not over yet is none of it. */
const STAYED = 3;
/** What held-out rows say: their loss has fallen by this share, or has not risen and lies nearer to the best level. */
const FALLEN_SHARE = 0.05;
/**
 * Nats per token of hard texts for a trained model; share of the steps from level to level that fall between the jumps of a
 * curriculum: a jump is more than two such stretches differ by in training that goes well, about a tenth of a nat; of 16 such steps of white noise 8 fall, with a standard deviation of sqrt(17 / 12), and two thirds are 2.2 of them more.
 */
const HARD_TEXT = 3.5, FALLING = 2 / 3, JUMP = 0.2;
/**
 * Nats per token that know next to nothing: the unigrams of a text have about 7 (of a vocabulary of 50 thousand, of
 * which ln is 10.8), and any text model that was ever trained is far below; so is the share of tokens that it gets right.
 */
const KNOWS_NOTHING = 6, RIGHT = 0.1;
const LEARNING = 200, PASSED = 0.5; // Updates, or share of an epoch, in which a model that begins at random has lost half a nat.

/** The decision, for the page. */
export const LEFT_LEVEL = [
  written`Of a supervised loss over a long run: all of the last ${STAYED} of at most 24 stretches lie above ${DOUBLED} times its best level (of a stretch, or of the first ${LATE} records) and ${MORE} nats more, by ${CERTAIN} standard errors, unless the held-out loss falls by ${FALLEN_SHARE} %, or does not rise and lies nearer to the best: then the batches have become harder; or it ends below ${HARD_TEXT} nats and falls in two thirds of its steps since that are no jumps of ${JUMP}, as between the jumps of a curriculum.`,
  written`Or the loss of tokens is above ${KNOWS_NOTHING} nats from first to last, less than ${RIGHT} % of them right, and over ${LEARNING} updates, or ${PASSED} of an epoch, it has not fallen by ${MORE} nats.`,
];

/** Where a supervised loss was, is, and since which record. */
interface Left {
  readonly course: Course;
  readonly best: number;
  readonly record: number;
}

/** A supervised loss that ends far above its best level, and held-out rows do not speak for it. */
export function leftForGood(view: RunView): Left | null {
  const course = isSupervised(view) ? courseOf(view, "loss") : null;
  if (course === null) return null;
  const { levels, values } = course, last = levels.slice(-STAYED).map(({ value }) => value);
  const lowest = levels.reduce((best, { value }, at) => value < best.value ? { value, at } : best, {
    value: Infinity,
    at: 0,
  });
  const opening = { value: median(values.slice(0, LATE)), at: -1 };
  const least = Math.min(...last);
  const isLost = ({ value, at }: { value: number; at: number }) =>
    least > DOUBLED * Math.max(value, 0) + MORE && least - value > CERTAIN * chance(course, at);
  // The first records stand where the whole first stretch does not.
  const best = [lowest, opening].find(isLost);
  if (best === undefined || isHarder(view, course, best)) return null;
  const since = departure(course, best.value, course.now, { after: Math.max(0, best.at) });
  return { course, best: best.value, record: levels[Math.min(since, levels.length - STAYED)]!.from };
}

/** Standard error of the distance between one level (or the median of the first records) and the last ones. */
function chance(course: Course, at: number): number {
  const apart = Math.max(0, course.levels.length - STAYED - at - 1);
  const error = errorOf({ ...course, width: STAYED }, 1, apart);
  return at >= 0 ? error : Math.hypot(error, noiseOf(course.values) / Math.sqrt(LATE));
}

/** True if not the model became worse but the batches harder: held-out rows say so, or a loss that falls but for its jumps. */
export function isHarder(
  view: RunView,
  { levels, now }: Course,
  best: { readonly value: number; readonly at: number },
) {
  const held = finiteOf(view.evaluation("loss"));
  if (held.length > 1) {
    const [first, last] = [held[0]!, median(held.slice(-2))];
    return last < (1 - FALLEN_SHARE) * first || last <= first && last - best.value < now - last;
  }
  const since = levels.slice(Math.max(0, best.at)).map(({ value }) => value);
  const steps = since.slice(1).map((value, i) => value - since[i]!).filter((by) => by < JUMP);
  return now < HARD_TEXT && steps.filter((by) => by < 0).length >= FALLING * steps.length;
}

/** The course of a loss of tokens that never said anything of them: records of its first and its last level; null if it learns. */
export function neverLearns(view: RunView): Course | null {
  const course = isSupervised(view) ? courseOf(view, "loss") : null, right = finiteOf(view.column("token_accuracy"));
  if (course === null || right.length === 0 || !(median(right) < RIGHT)) return null;
  const nothing = course.levels.every(({ value }) => value > KNOWS_NOTHING);
  return nothing && (trainsSteps(view) >= LEARNING || Math.max(0, ...view.finite("epoch")) >= PASSED) &&
      course.start - course.end < MORE
    ? course
    : null;
}

const isSupervised = (view: RunView) => view.isWhole && !isReinforcement(view) && !isPreference(view);
