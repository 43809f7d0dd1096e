/** Whether what is learned of the rows of training carries over to those that were held out. @module */
import { noiseOf } from "./course.ts";
import { type Cells, finiteOf, isNumber, LATE, median } from "./numbers.ts";
import type { RunView } from "./run_view.ts";

/** Evaluations whose median is a held-out level; how near that of pairs lies to the level of training. */
export const LAST_EVALUATIONS = 3, CARRIES = 0.1;
/** Standard errors, and share of its size, by which a held-out level has become better. */
const CLEARLY = 3, NOTICEABLE = 0.01;

/** What is measured of held-out rows, and in which direction it is better. */
const BETTER = { loss: -1, token_accuracy: 1, accuracy: 1 } as const;

/** Held-out pairs are told apart as well as those of training, or a held-out level becomes better since a train step. */
export function carriesOver(view: RunView, trainStep: number): boolean {
  const [mine, held] = [view.finite("preference_accuracy"), finiteOf(view.evaluation("preference_accuracy"))];
  return median(held.slice(-LAST_EVALUATIONS)) > median(mine.slice(-LATE)) - CARRIES ||
    Object.entries(BETTER).some(([name, sign]) => gains(view.evaluation(name), view.evaluationSteps, trainStep, sign));
}

/** The last evaluations are better than the last ones before a train step, beyond what neighbours scatter by. */
function gains(cells: Cells, steps: readonly number[], trainStep: number, sign: number): boolean {
  const known = cells.flatMap((value, at) => isNumber(value) ? [{ value, step: steps[at] ?? NaN }] : []);
  const values = known.map(({ value }) => value), from = known.filter(({ step }) => step <= trainStep).length;
  const before = values.slice(Math.max(0, from - LAST_EVALUATIONS), Math.max(1, from));
  const after = values.slice(Math.max(before.length, from)).slice(-LAST_EVALUATIONS);
  if (before.length === 0 || after.length === 0) return false;
  const error = noiseOf(values) * Math.sqrt(1 / before.length + 1 / after.length);
  return sign * (median(after) - median(before)) > Math.max(CLEARLY * error, NOTICEABLE * Math.abs(median(before)));
}
