/** Whether the first record of a log is the beginning of its run: rules about the first value need to know. @module */
import { settingNumber } from "./settings.ts";
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
  return view.stepsPrinted && view.records > 0 && view.trainSteps[0]! > Math.max(FIRST_STEPS, interval(view));
}
