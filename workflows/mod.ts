/**
 * Nonzero as a library: run workflows at once or step by step, open and compare runs of ours and of others, draw them, and
 * diagnose any run.
 *
 *     import { openRun, runWorkflow } from "./mod.ts";
 *     const { folder } = await runWorkflow("workflows/library/first_run.yaml", { params: { train_steps: 50 } });
 *     const run = await openRun(folder);
 *     await run.chart("reward").show();
 * @module
 */
export {
  compare,
  defineWorkflow,
  diagnose,
  type Diagnosed,
  openWorkflow,
  runWorkflow,
  type RunWorkflowOptions,
} from "./entry.ts";
export type { RunFinding, RunResult } from "./engine/run_plan.ts";
export type { Comparison } from "./explore/compare.ts";
export { defineDiagnosis } from "../steps/diagnoses/diagnosis.ts";
export { openRun, openRuns } from "./explore/open.ts";
export type { Run } from "./explore/run.ts";
export type { StepRun, WorkflowSession } from "./explore/session.ts";
export { watch, type WatchOptions } from "./explore/watch.ts";
export type { ChartView } from "../notebooks/chart_view.ts";
export type { PictureView } from "../notebooks/pictures/picture_view.ts";
export { show } from "../notebooks/display.ts";
