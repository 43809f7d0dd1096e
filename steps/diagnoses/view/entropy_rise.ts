/** An entropy that has risen far, and since the run was best: what is sampled becomes random. @module */
import { courseOf, errorOf, wayFrom } from "./course.ts";
import type { Evidence } from "./evidence.ts";
import { show } from "./numbers.ts";
import { levelNear } from "./pairs.ts";
import type { RunView } from "./run_view.ts";

/** Times its level at which more than the temperature of a batch has changed, and the standard errors that it is beyond noise by. */
export const ENTROPY_TIMES = 2, ENTROPY_SURE = 6;

interface EntropyRise {
  readonly text: string;
  readonly evidence: readonly Evidence[];
}

/** From its lowest level to the end, beyond that around a train step; null where it has not risen so, or the part of a run that is seen has no course. */
export function entropyRise(view: RunView, since: number): EntropyRise | null {
  const course = view.isWhole ? courseOf(view, "entropy") : null;
  if (course === null) return null;
  const { from, to, sigma } = wayFrom(course, -1);
  // What rose before the best, and stayed, is no companion of the fall.
  const isMeanwhile = to - levelNear(course, view.trainSteps, since) > ENTROPY_SURE * errorOf(course);
  if (!(to >= ENTROPY_TIMES * from) || sigma <= ENTROPY_SURE || !isMeanwhile) return null;
  return {
    text: `the entropy rose from ${show(from)} to ${show(to)}`,
    evidence: [view.evidence("entropy", course.records.at(-1)!)],
  };
}
