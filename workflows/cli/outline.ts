/** What the progress of a run needs to know of its plan: which steps stand alone, how many train steps are to come. @module */
import { type Plan, type PlanNode, stepsOf } from "../plan/plan.ts";
import type { Expected } from "./eta.ts";
import type { RunOutline } from "./progress.ts";

interface Supervised {
  readonly max_updates: number;
  readonly until_accuracy?: number;
}

/**
 * The outline of a plan. `earlier` are the outputs of the steps of the run that is resumed, by step id: its supervised
 * updates come before the first round.
 */
export function outlineOf(
  plan: Pick<Plan, "steps">,
  earlier: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null = null,
): RunOutline {
  const supervised = new Map(
    stepsOf(plan.steps).filter(({ uses }) => uses === "fine_tune").map(({ id, params }) => {
      const given = params as Supervised | null;
      const until = given?.until_accuracy;
      return [id, {
        count: given?.max_updates ?? 0,
        atMost: until !== undefined,
        ...(until === undefined ? {} : { until }),
      }];
    }),
  );
  const updates = Object.entries(earlier ?? {}).filter(([id]) => supervised.has(id))
    .reduce((sum, [, outputs]) => sum + Number(outputs["updates"] ?? 0), 0);
  return {
    alone: new Set(plan.steps.flatMap((node) => node.type === "step" ? [node.id] : [])),
    rounds: roundsOf(plan.steps),
    supervised,
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
