/** What a log shows of the beginning of its run, and what the policy brought with it. @module */
import { settingNumber } from "./settings.ts";
import { type Cells, isNumber } from "./numbers.ts";
import type { RunView } from "./run_view.ts";

const EPOCH_SLACK = 0.005; // Least rounding of a printed epoch.
const FIRST_STEPS = 10; // A log whose first step is beyond this begins in mid-run, unless it prints that seldom.

/** Updates between two records, as far as the log shows. */
export function interval(view: RunView): number {
  const steps = view.trainSteps;
  const logging = settingNumber(view, "logging_steps");
  if (view.stepsPrinted && steps.length > 1 && steps[1]! > steps[0]!) return steps[1]! - steps[0]!;
  return logging ?? 1;
}

/** True if the first record is the first of the run: by its step, or by an epoch that starts at one record's worth. */
export function startsAtBeginning(view: RunView): boolean {
  return view.memo("start", () => {
    if (view.records === 0) return false;
    if (view.stepsPrinted) return view.trainSteps[0]! <= interval(view);
    const epoch = view.column("epoch");
    const [first, second] = [epoch[0] ?? null, epoch[1] ?? null];
    if (first === null || second === null || second <= first) return false;
    const slack = Math.max(view.rounding("epoch"), EPOCH_SLACK);
    return first <= (second - first) + 2 * slack;
  });
}

/** True if the log is an excerpt from the middle of a run: healthy records before it were left out. */
export function startsInTheMiddle(view: RunView): boolean {
  if (view.records === 0) return false;
  if (view.stepsPrinted) return view.trainSteps[0]! > Math.max(FIRST_STEPS, interval(view));
  const [first, second] = view.column("epoch");
  if (!isNumber(first) || !isNumber(second) || second <= first) return false;
  // Two rounded epochs may lie nearer to each other than their records do.
  return first > FIRST_STEPS * (second - first + 2 * Math.max(view.rounding("epoch"), EPOCH_SLACK));
}

/** True if the updates begin where a warm start of the same run ends. */
export function followsWarmStart({ warmStart, trainSteps }: RunView): boolean {
  return warmStart !== null && warmStart.records > 0 && warmStart.trainSteps.at(-1)! + 1 === trainSteps[0];
}

/** True if the records go back to the first update that there was to be. */
export function seesFirstUpdate(view: RunView): boolean {
  return startsAtBeginning(view) || followsWarmStart(view);
}

/** True if the first printed completions were sampled before any update. */
export function showsArrival(view: RunView): boolean {
  const first = view.completions[0]?.trainStep ?? null;
  return seesFirstUpdate(view) && first !== null && first === view.trainSteps[0] && interval(view) === 1;
}

const EXACT_DECIMALS = 2; // A gradient that a log prints with so many decimals may be rounded to 0.

/**
 * True if no gradient had reached the policy when the last completions were sampled: how they are came with the model, and
 * no update of the run is to blame.
 */
export function isUnmoved(view: RunView): boolean {
  return view.memo("unmoved", () => {
    const sampled = view.completions.at(-1)?.trainStep ?? view.trainSteps.at(-1) ?? null;
    // A run of ours whose first update left no record.
    if (view.records === 0) return !view.imported && sampled === 1;
    if (!seesFirstUpdate(view) || view.imported && (view.decimals("grad_norm") ?? 0) >= EXACT_DECIMALS) return false;
    const [gradient, change] = [view.column("grad_norm"), view.column("relative_update")];
    // Ours are sampled before the update of their train step; which one a log's are from is not said.
    const isLater = (step: number) => sampled !== null && (view.imported ? step > sampled : step >= sampled);
    return view.trainSteps.every((step, record) => isLater(step) || gradient[record] === 0 || change[record] === 0);
  });
}

/** What to do where the model was like this from the first. */
export const ARRIVED = {
  hint: "The model arrived like this, no update made it so: start from another model or checkpoint, or warm start it " +
    "on examples.",
  remedy: [],
} as const;

/** Records that lie in another epoch than the one before them. */
export function epochStarts(epoch: Cells): number[] {
  return epoch.flatMap((now, record) => {
    const before = epoch[record - 1];
    return isNumber(before) && isNumber(now) && Math.ceil(before) !== Math.ceil(now) ? [record] : [];
  });
}
