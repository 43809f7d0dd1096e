/** What says of a run whether anything is right, apart from what is paid. @module */
import type { Evidence } from "./evidence.ts";
import { isNumber } from "./numbers.ts";
import { scoreSignal, type Signal } from "./progress.ts";
import { rewardFunctions } from "./rewards.ts";
import type { RunView } from "./run_view.ts";
import { scores } from "./scores.ts";

/** Shares of right answers, what they are of, and the row that shows the last of ours, the highest of a foreign log. */
interface Right {
  readonly values: readonly number[];
  readonly what: string;
  readonly evidence: Evidence;
}

const EVALUATIONS = 5; // Held-out scores that say that nothing is ever right.

/**
 * The verifier's accuracy of a run of ours, of `records` and more; of a foreign log that pays one function that of all held-out
 * scores of something else than what is paid which is highest, where they are shares: beside a goal that is paid as well another
 * function is at fault, or none. Null where there is none.
 */
export function rightOf(view: RunView, records: number): Right | null {
  if (!view.imported) {
    const values = view.finite("accuracy"), last = view.column("accuracy").findLastIndex(isNumber);
    return values.length < records ? null : { values, what: "completion", evidence: view.evidence("accuracy", last) };
  }
  const held = scores(view).flatMap((series) => scoreSignal(series) ?? []).filter(({ isPaid }) => !isPaid);
  const most = (signal: Signal) => Math.max(...signal.course.values);
  const best = held.toSorted((a, b) => most(b) - most(a))[0];
  if (best === undefined || best.course.values.length < EVALUATIONS || rewardFunctions(view).length > 1) return null;
  if (held.some(({ course }) => course.values.some((value) => value < 0 || value > 1))) return null;
  const at = best.course.records[best.course.values.indexOf(most(best))]!;
  return { values: best.course.values, what: "held-out answer", evidence: best.evidence(at) };
}
