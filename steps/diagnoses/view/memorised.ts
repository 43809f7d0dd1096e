/** What is paid on the prompts of training and no longer on new ones: the prompts are learned, not the task. @module */
import { isConfirmed, wayFrom } from "./course.ts";
import { isReinforcement } from "./groups.ts";
import { show } from "./numbers.ts";
import { heightSpan, paid, scoreSignal, since, spanOf } from "./progress.ts";
import type { RunView } from "./run_view.ts";
import { taskScores } from "./scores.ts";

/** Share of its span, and of its scale, that what is paid on new prompts loses; standard errors. */
export const UNPAID = 0.25, UNPAID_OF_SCALE = 0.05, SURE_UNPAID = 4;

/**
 * The reward of held-out prompts has left its best level for good while that of training has not fallen since and ends higher.
 * A shortcut would be paid on new prompts as well. Null where none is printed or it is not so.
 */
export function paidOnOldPrompts(view: RunView) {
  const training = isReinforcement(view) ? paid(view) : null;
  if (training === null) return null;
  for (const series of taskScores(view)) {
    const held = scoreSignal(series);
    if (held === null || !held.isPaid) continue;
    const { course, trainSteps } = held, { from, by, sigma, best, left } = wayFrom(course, 1, { until: "end" });
    const isLost = -by >= UNPAID * spanOf(course) && -by >= UNPAID_OF_SCALE * heightSpan(course);
    if (!isLost || sigma > -SURE_UNPAID || !isConfirmed(course, from, best)) continue;
    const step = trainSteps[course.levels[best]!.to]!, meanwhile = since(training, step);
    if (meanwhile.direction === "falls" || meanwhile.by < 0 || meanwhile.to <= course.end) continue;
    const at = course.levels[left]!.from, last = course.records.at(-1)!;
    return {
      trainSteps: trainSteps.slice(at),
      message: `The reward of held-out prompts fell from about ${show(from)} at train step ${step} to ${
        show(course.end)
      } while that of training went from about ${show(meanwhile.from)} to ${show(meanwhile.to)}`,
      evidence: [
        held.evidence(course.levels[best]!.to),
        held.evidence(last),
        training.evidence(training.course.records.at(-1)!),
      ],
      ruledOut: { reward_hacking: "a shortcut would be paid on new prompts as well" },
    };
  }
  return null;
}
