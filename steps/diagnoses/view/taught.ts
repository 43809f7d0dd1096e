/** Whether a run is taught by its updates, whatever its settings say: what it is for rises, or its loss on given answers falls. @module */
import { courseOf, errorOf } from "./course.ts";
import { isReinforcement } from "./groups.ts";
import { gainSince } from "./progress.ts";
import type { RunView } from "./run_view.ts";

/** Standard errors, and share of its start, by which a loss has fallen. */
const CLEAR = 4, LESS_BY = 0.1;

/** True of a whole, long run only: below that nothing is shown. */
export function isTaught(view: RunView): boolean {
  if (!view.isWhole || view.records === 0) return false;
  if (isReinforcement(view)) {
    const gain = gainSince(view, view.trainSteps[0]!);
    return gain !== null && !gain.level && !gain.falls;
  }
  const loss = courseOf(view, "loss");
  return loss !== null && loss.start - loss.end > Math.max(CLEAR * errorOf(loss), LESS_BY * Math.abs(loss.start));
}
