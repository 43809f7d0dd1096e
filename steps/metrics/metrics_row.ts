/** The one row of `metrics` that the steps of a rollout's train step write together. @module */
import type { ColumnTable } from "arquero";
import { tableOfRows } from "../../data/tables/mod.ts";
import type { StepContext } from "../step.ts";

/** What a step that adds to the row reads of it, besides the columns that it follows. */
export const ROW_READS = [{ column: "train_step", optional: true }] as const;

/** The row as it stands in this train step, with `columns` added or replaced: whichever step comes first begins it. */
export function metricsRow(
  context: Pick<StepContext, "table" | "trainStep" | "stepId">,
  columns: Readonly<Record<string, unknown>>,
): ColumnTable {
  const [row] = context.table("metrics").objects();
  const first = { train_step: context.trainStep, phase: "rollout", step_id: context.stepId };
  return tableOfRows("metrics", [{ ...row ?? first, ...columns }]);
}
