/** What says of a run whether anything is right, apart from what is paid. @module */
import type { Evidence } from "./evidence.ts";
import { isNumber } from "./numbers.ts";
import { truths } from "./progress.ts";
import { rewardFunctions } from "./rewards.ts";
import type { RunView } from "./run_view.ts";

/** Shares of right answers, what they are of, and the last of them as it is printed. */
interface Right {
  readonly values: readonly number[];
  readonly what: string;
  readonly evidence: Evidence;
}

/**
 * The verifier's accuracy of a run of ours, of `records` and more; of a foreign log that pays one function the held-out score of
 * something else than what is paid: beside a goal that is paid as well another function is at fault, or none. Null where there is none.
 */
export function rightOf(view: RunView, records: number): Right | null {
  if (!view.imported) {
    const values = view.finite("accuracy"), last = view.column("accuracy").findLastIndex(isNumber);
    return values.length < records ? null : { values, what: "completion", evidence: view.evidence("accuracy", last) };
  }
  const held = truths(view).find(({ kind, isPaid }) => kind === "held out" && !isPaid);
  if (held === undefined || rewardFunctions(view).length > 1) return null;
  return { values: held.course.values, what: "held-out answer", evidence: held.evidence(held.course.records.at(-1)!) };
}
