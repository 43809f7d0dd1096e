/** Checks a plan, runs it with its repairs, and leaves its report and charts, whatever became of it. @module */
import { join } from "node:path";
import { messageOf } from "../../data/error_text.ts";
import type { RunOptions } from "../engine/run_plan.ts";
import type { Plan } from "../plan/plan.ts";
import { preflightOrRefuse } from "../preflight/preflight.ts";
import { type RepairedRun, runWithRepair } from "../repair/run_with_repair.ts";

/**
 * Preflight, `runWithRepair`, then the report. Throws WorkflowError for a plan that cannot work; what merely learns
 * nothing is said at the start of the run. A report that cannot be written does not change the result of the run.
 */
export async function runWorkflowPlan(plan: Plan, options: RunOptions): Promise<RepairedRun> {
  const notes = options.resume === undefined ? await preflightNotes(plan, options.runsFolder) : [];
  const result = await runWithRepair(plan, { ...options, notes: [...options.notes ?? [], ...notes] });
  const { writeReport } = await import("./write_report.ts");
  for (const id of new Set([result.runId, result.firstRunId])) {
    try {
      await writeReport(join(options.runsFolder, id));
    } catch (error) {
      const text = `The report was not written: ${messageOf(error)}`;
      options.onEvent?.({ event: "message", time: new Date().toISOString(), text });
    }
  }
  return result;
}

/** What preflight says of a plan that can run, one line each. */
async function preflightNotes(plan: Plan, runsFolder: string): Promise<string[]> {
  const found = await preflightOrRefuse(plan, { runsFolder });
  return found.filter(({ severity }) => severity !== "info").map(({ text }) =>
    `Before the run: ${text.split("\n")[0]}`
  );
}
