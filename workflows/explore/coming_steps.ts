/** Whether a step can still come in a run that waits before another one. @module */
import { type PlannedStep, type PlanNode, stepsOf } from "../plan/plan.ts";

/** True for the step that waits, for those behind it, and for those before it that another round of its block brings. */
export function canCome(
  nodes: readonly PlanNode[],
  waiting: PlannedStep,
  isWanted: (step: PlannedStep) => boolean,
  repeats = false,
): boolean {
  const at = nodes.findIndex((node) => stepsOf([node]).includes(waiting));
  if (at < 0) return false;
  const here = nodes[at]!;
  const ahead = repeats ? nodes : nodes.slice(at + 1);
  if (stepsOf(ahead).some(isWanted)) return true;
  return here.type === "step" ? isWanted(here) : canCome(here.steps, waiting, isWanted, true);
}
