/** Runs the step compute_advantages on completions given as a table. */
import type { ColumnTable } from "arquero";
import { computeAdvantages } from "../../../steps/compute_advantages.ts";
import { stepContext } from "./reward_steps.ts";

export async function runCompute(given: Record<string, unknown>, completions: ColumnTable) {
  const params = computeAdvantages.params.parse(given);
  const { tables, outputs } = await computeAdvantages.run(params, stepContext({ completions }));
  const written = tables!.completions!;
  return { written, outputs: outputs!, advantages: Array.from(written.array("advantage") as ArrayLike<number>) };
}
