/** A fault of FAULTS applied to tables in memory. */
import type { ColumnTable } from "arquero";
import { columnArray, tableOf } from "../../../data/tables/mod.ts";
import { Faults } from "../../../steps/faults/inject.ts";
import { type FaultName, FAULTS } from "../../../steps/faults/mod.ts";
import type { StepContext, TableName } from "../../../steps/step.ts";
import { stepContext } from "../contexts/reward_steps.ts";

/** What the step of a fault gives when it gave `columns` of `table`. */
export async function faulty(
  kind: FaultName,
  table: TableName,
  columns: Record<string, unknown[]>,
  more: Record<string, unknown> = {},
): Promise<(column: string) => unknown[]> {
  const faults = new Faults([{ kind, ...more }]);
  const given = tableOf(table, columns);
  const result = await faults.run(FAULTS[kind].step, {}, stepContext({}), () => ({ tables: { [table]: given } }));
  const out = (result.tables as Record<string, ColumnTable>)[table]!;
  return (column) => Array.from(columnArray(out, column) as ArrayLike<unknown>);
}

/** The parameters that the step of a fault sees when the workflow gives `params`. */
export async function seenParams(kind: FaultName, params: Record<string, unknown>, more: Record<string, unknown> = {}) {
  let seen: unknown;
  await new Faults([{ kind, ...more }]).run(FAULTS[kind].step, params, stepContext({}), (given) => {
    seen = given;
    return {};
  });
  return seen as Record<string, unknown>;
}

/** The context at another train step. */
export function atTrainStep(trainStep: number, context: StepContext = stepContext({})): StepContext {
  return { ...context, trainStep };
}
