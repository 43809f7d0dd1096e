/** Runs a plan and leaves its report and charts, whatever became of it. @module */
import { closeSandboxes } from "../steps/rewards/sandbox/pool.ts";
import { type RunOptions, runPlan, type RunResult } from "./engine.ts";
import type { Plan } from "./plan.ts";

/** `runPlan`, then the report. A report that cannot be written does not change the result of the run. */
export async function runWorkflowPlan(plan: Plan, options: RunOptions): Promise<RunResult> {
  const result = await runPlan(plan, options);
  await closeSandboxes(result.runId);
  const { writeReport } = await import("./report_run.ts");
  try {
    await writeReport(result.folder);
  } catch (error) {
    const text = `The report was not written: ${error instanceof Error ? error.message : error}`;
    options.onEvent?.({ event: "message", time: new Date().toISOString(), text } as never);
  }
  return result;
}
