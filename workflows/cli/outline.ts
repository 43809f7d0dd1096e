/** What the progress of a run needs to know of its plan: which steps stand alone, how many train steps are to come. @module */
import type { OwnUpdates } from "../../steps/step.ts";
import { type Plan, type PlanNode, stepsOf } from "../plan/plan.ts";
import type { Expected } from "./eta.ts";
import type { RunOutline } from "./progress.ts";

/**
 * The outline of a plan. `earlier` are the outputs of the steps of the run that is resumed, by step id: updates of steps
 * that train by themselves come before the first round.
 */
export function outlineOf(
  plan: Pick<Plan, "steps">,
  earlier: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null = null,
): RunOutline {
  const steps = stepsOf(plan.steps);
  const training = new Map(
    steps.filter(({ kind }) => kind.trains !== undefined).map(({ id, kind, params }) => {
      const { updates, until }: OwnUpdates = params === null ? { updates: 0 } : kind.trains!(params);
      return [id, { count: updates, atMost: until !== undefined, ...(until === undefined ? {} : { until }) }];
    }),
  );
  const updates = Object.entries(earlier ?? {}).filter(([id]) => training.has(id))
    .reduce((sum, [, outputs]) => sum + Number(outputs["updates"] ?? 0), 0);
  return {
    alone: new Set(plan.steps.flatMap((node) => node.type === "step" ? [node.id] : [])),
    measuring: new Set(steps.flatMap(({ id, kind }) => kind.measures ? [id] : [])),
    rounds: roundsOf(plan.steps),
    training,
    resumedAfter: earlier === null ? null : updates,
  };
}

/** Rounds of the innermost blocks altogether. */
function roundsOf(nodes: readonly PlanNode[]): Expected {
  let count = 0, atMost = false;
  for (const node of nodes) {
    if (node.type === "step") continue;
    const inner = roundsOf(node.steps);
    count += node.repeat * Math.max(1, inner.count);
    atMost ||= node.until !== null || inner.atMost;
  }
  return { count, atMost };
}
